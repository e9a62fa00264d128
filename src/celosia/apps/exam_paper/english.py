"""What the reproduction says in English."""

from __future__ import annotations

MESSAGES = {
    "and": " and ",
    "real": "real marks",
    "integer": "integer marks",
    "k_members": "k-members",
    "l_greedy": "l-greedy",
    "title": "The exam paper's experiment, repeated",
    "table_title": "{marks}, {n_students} students (tables: {n_seeds})",
    "k": "k (risk)",
    "gcp": "GCP {algorithm}",
    "curve": "{algorithm}: mean, band from least to greatest",
    "bound": "lower bound",
    "bound_line": "lower bound of any grouping",
    "printed": "printed",
    "printed_line": "printed in the paper (its two ends)",
    "limit_line": "printed in the paper: under one second",
    "time": "search, ms",
    "verdicts": "What the paper says, and what comes out",
    "k_axis": "k",
    "gcp_axis": "GCP (share of information lost)",
    "time_axis": "search time in milliseconds",
    "all_k": "{n_left} more values of k are in --json and in --out.",
    "definition": (
        "GCP is the share of information lost, from 0 to 1: the mean of NCP over rows and quasi-identifiers (the "
        "paper's equation 4). Each cell gives the mean over the tables and, behind it, the least and the "
        "greatest."
    ),
    "method": (
        "Classes come straight from the searches and are measured; they are neither recoded nor audited, since "
        "nothing is published. Times are those of the search alone, on this machine. Table and search number s "
        "use seed s."
    ),
    "bound_why": (
        "The lower bound: a class with k rows holds, for each of its rows, another one at least as far away as "
        "the (k-1)-th nearest row of the table, and no class loses less than any pair in it. The mean of these "
        "pair losses over all rows is a loss that no algorithm can undercut."
    ),
    "repeat": "How to repeat it",
    "written": "results.md, results.json, gcp.svg and time.svg are in",
    "status.holds": "holds",
    "status.partly": "holds in part",
    "status.undecided": "undecided",
    "status.fails": "does not hold",
    "status.out_of_reach": "out of reach",
    "status.not_checked": "not checked",
    "loss_at.out_of_reach": (
        "Printed: {printed:.2%} lost at k = {k} (l-greedy). Measured: {measured}; the printed figure is {factor} "
        "times too small. Whatever the algorithm, no grouping of these tables loses less than {lower_bound:.2%}: "
        "under the paper's own definition the printed figure cannot be reached."
    ),
    "loss_at.fails": (
        "Printed: {printed:.2%} lost at k = {k} (l-greedy). Measured: {measured}, which is {factor} times as "
        "much. The lower bound, {lower_bound:.2%}, does not rule the printed figure out."
    ),
    "loss_at.holds": "Printed: {printed:.2%} lost at k = {k} (l-greedy). Measured: {measured}.",
    "loss_at.not_checked": "Printed: {printed:.2%} lost at k = {k} (l-greedy). This k was not measured.",
    "mean_loss.out_of_reach": (
        "Printed: a mean loss of {printed_l_greedy:.2%} (l-greedy) and {printed_k_members:.2%} (k-members). "
        "Measured over k from {smallest_k} to {largest_k} ({n_k} in all): l-greedy {measured_l_greedy}; "
        "k-members {measured_k_members}. The paper does not say which k it took; but k = 2 alone costs "
        "{lower_bound:.2%} at least with any algorithm, and larger k cost more, so that no choice of k gives the "
        "printed means."
    ),
    "mean_loss.fails": (
        "Printed: a mean loss of {printed_l_greedy:.2%} (l-greedy) and {printed_k_members:.2%} (k-members). "
        "Measured over k from {smallest_k} to {largest_k} ({n_k} in all): l-greedy {measured_l_greedy}; "
        "k-members {measured_k_members}."
    ),
    "mean_loss.holds": (
        "Printed: a mean loss of {printed_l_greedy:.2%} (l-greedy) and {printed_k_members:.2%} (k-members). "
        "Measured over k from {smallest_k} to {largest_k} ({n_k} in all): l-greedy {measured_l_greedy}; "
        "k-members {measured_k_members}."
    ),
    "mean_loss.not_checked": (
        "Printed: a mean loss of {printed_l_greedy:.2%} (l-greedy) and {printed_k_members:.2%} (k-members). "
        "Measured over k from {smallest_k} to {largest_k} ({n_k} in all): l-greedy {measured_l_greedy}; "
        "k-members {measured_k_members}. Without k = 2 the printed means cannot be judged."
    ),
    "ahead.holds": (
        "Printed: l-greedy loses a little less. It does on all {n_tables} tables (mean gap {mean_gap:+.4f})."
    ),
    "ahead.undecided": (
        "Printed: l-greedy loses a little less. It does on {n_ahead} of {n_tables} tables (mean gap "
        "{mean_gap:+.4f}): which one is ahead hangs on the table, on ties and on the rule for left-over rows."
    ),
    "ahead.fails": (
        "Printed: l-greedy loses a little less. It does on none of {n_tables} tables (mean gap {mean_gap:+.4f})."
    ),
    "growth.holds": "Printed: the loss grows with k. It does in each of {n_steps} steps from one k to the next.",
    "growth.partly": (
        "Printed: the loss grows with k. On the whole it does; in {n_falls} of {n_steps} steps from one k to the "
        "next it falls; {n_fewer_left} of these lead to a k that leaves fewer rows over."
    ),
    "growth.fails": (
        "Printed: the loss grows with k. It falls in {n_falls} of {n_steps} steps from one k to the next."
    ),
    "growth.not_checked": "Printed: the loss grows with k. With one k alone there is nothing to compare.",
    "risk.holds": (
        "Printed: a student is re-identified with a chance of 50 % (k = 2) and 2.5 % (k = 40). The greatest "
        "measured are {measured_at_2:.1%} and {measured_at_40:.1%}, one over the smallest class. It holds for "
        "linking on these columns only, and it is a chance of linking, not of learning what a class shares."
    ),
    "risk.fails": (
        "Printed: a student is re-identified with a chance of 50 % (k = 2) and 2.5 % (k = 40). The greatest "
        "measured are {measured_at_2:.1%} and {measured_at_40:.1%}."
    ),
    "risk.not_checked": "Printed: re-identification 50 % (k = 2) and 2.5 % (k = 40). Not both k were measured.",
    "seconds.holds": (
        "Printed: both take less than one second. The slowest of {n_runs} searches took {slowest:.3f} s here."
    ),
    "seconds.fails": (
        "Printed: both take less than one second. The slowest of {n_runs} searches took {slowest:.3f} s here."
    ),
    "over_python.not_checked": (
        "Printed: at least {printed} times faster than the Python of l-greedy's authors. That code is not run "
        "here, so that nothing is said about it. Our own yardstick, l-greedy in plain Python written for this "
        "command, takes {plain_seconds:.2f} s at k = {k}, and the compiled search {compiled_seconds:.4f} s: "
        "{factor:.0f} times less."
    ),
    "share_of_marks.fails": (
        "Printed: with mean 6 and standard deviation 2 about 68 % of the marks lie in [5, 7]. Of {n_marks} marks "
        "drawn so, {within_one:.1%} do (the normal law: {law_within_one:.1%}). In [4, 8] lie {within_two:.1%} "
        "(law: {law_within_two:.1%}); 68 % in [5, 7] belongs to a standard deviation of 1 (law: "
        "{law_within_one_of_deviation_one:.1%})."
    ),
    "share_of_marks.holds": (
        "Printed: about 68 % of the marks lie in [5, 7]. Of {n_marks} marks drawn {within_one:.1%} do."
    ),
}
