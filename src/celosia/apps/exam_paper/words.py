"""What the reproduction says, in English or Spanish."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from celosia.apps.exam_paper.verdicts import Status, Verdict
from celosia.base.wording import Said
from celosia.report import language as catalogue

Language = Literal["en", "es"]

_MEANS = Said(
    "Printed: a mean loss of {printed_l_greedy:.2%} (l-greedy) and {printed_k_members:.2%} (k-members). "
    "Measured over k from {smallest_k} to {largest_k} ({n_k} in all): l-greedy {measured_l_greedy}; "
    "k-members {measured_k_members}."
)
_SLOWEST = Said("Printed: both take less than one second. The slowest of {n_runs} searches took {slowest:.3f} s here.")
MESSAGES = {
    "real": Said("real marks"),
    "integer": Said("integer marks"),
    "k_members": "k-members",
    "l_greedy": "l-greedy",
    "title": Said("The exam paper's experiment, repeated"),
    "table_title": Said("{marks}, {n_students} students (tables: {n_seeds})"),
    "k": Said("k (risk)"),
    "gcp": "GCP {algorithm}",
    "curve": Said("{algorithm}: mean, band from least to greatest"),
    "bound": Said("lower bound"),
    "bound_line": Said("lower bound of any grouping"),
    "printed": Said("printed"),
    "printed_line": Said("printed in the paper (its two ends)"),
    "limit_line": Said("printed in the paper: under one second"),
    "time": Said("search, ms"),
    "verdicts": Said("What the paper says, and what comes out"),
    "k_axis": "k",
    "gcp_axis": Said("GCP (share of information lost)"),
    "time_axis": Said("search time in milliseconds"),
    "all_k": Said("{n_left} more values of k are in --json and in --out."),
    "definition": Said(
        "GCP is the share of information lost, from 0 to 1: the mean of NCP over rows and quasi-identifiers (the "
        "paper's equation 4). Each cell gives the mean over the tables and, behind it, the least and the "
        "greatest."
    ),
    "method": Said(
        "Classes come straight from the searches and are measured; they are neither recoded nor audited, since "
        "nothing is published. Times are those of the search alone, on this machine. Table and search number s "
        "use seed s."
    ),
    "bound_why": Said(
        "The lower bound: a class with k rows holds, for each of its rows, another one at least as far away as "
        "the (k-1)-th nearest row of the table, and no class loses less than any pair in it. The mean of these "
        "pair losses over all rows is a loss that no algorithm can undercut."
    ),
    "repeat": Said("How to repeat it"),
    "written": Said("results.md, results.json, gcp.svg and time.svg are in"),
    "status.holds": Said("paper|holds"),
    "status.partly": Said("holds in part"),
    "status.undecided": Said("undecided"),
    "status.fails": Said("does not hold"),
    "status.out_of_reach": Said("out of reach"),
    "status.not_checked": Said("not checked"),
    "loss_at.out_of_reach": Said(
        "Printed: {printed:.2%} lost at k = {k} (l-greedy). Measured: {measured}; the printed figure is {factor} "
        "times too small. Whatever the algorithm, no grouping of these tables loses less than {lower_bound:.2%}: "
        "under the paper's own definition the printed figure cannot be reached."
    ),
    "loss_at.fails": Said(
        "Printed: {printed:.2%} lost at k = {k} (l-greedy). Measured: {measured}, which is {factor} times as "
        "much. The lower bound, {lower_bound:.2%}, does not rule the printed figure out."
    ),
    "loss_at.holds": Said("Printed: {printed:.2%} lost at k = {k} (l-greedy). Measured: {measured}."),
    "loss_at.not_checked": Said("Printed: {printed:.2%} lost at k = {k} (l-greedy). This k was not measured."),
    "mean_loss.out_of_reach": Said(
        "Printed: a mean loss of {printed_l_greedy:.2%} (l-greedy) and {printed_k_members:.2%} (k-members). "
        "Measured over k from {smallest_k} to {largest_k} ({n_k} in all): l-greedy {measured_l_greedy}; "
        "k-members {measured_k_members}. The paper does not say which k it took; but k = 2 alone costs "
        "{lower_bound:.2%} at least with any algorithm, and larger k cost more, so that no choice of k gives the "
        "printed means."
    ),
    "mean_loss.fails": _MEANS,
    "mean_loss.holds": _MEANS,
    "mean_loss.not_checked": Said(
        "Printed: a mean loss of {printed_l_greedy:.2%} (l-greedy) and {printed_k_members:.2%} (k-members). "
        "Measured over k from {smallest_k} to {largest_k} ({n_k} in all): l-greedy {measured_l_greedy}; "
        "k-members {measured_k_members}. Without k = 2 the printed means cannot be judged."
    ),
    "ahead.holds": Said(
        "Printed: l-greedy loses a little less. It does on all {n_tables} tables (mean gap {mean_gap:+.4f})."
    ),
    "ahead.undecided": Said(
        "Printed: l-greedy loses a little less. It does on {n_ahead} of {n_tables} tables (mean gap "
        "{mean_gap:+.4f}): which one is ahead hangs on the table, on ties and on the rule for left-over rows."
    ),
    "ahead.fails": Said(
        "Printed: l-greedy loses a little less. It does on none of {n_tables} tables (mean gap {mean_gap:+.4f})."
    ),
    "growth.holds": Said("Printed: the loss grows with k. It does in each of {n_steps} steps from one k to the next."),
    "growth.partly": Said(
        "Printed: the loss grows with k. On the whole it does; in {n_falls} of {n_steps} steps from one k to the "
        "next it falls; {n_fewer_left} of these lead to a k that leaves fewer rows over."
    ),
    "growth.fails": Said(
        "Printed: the loss grows with k. It falls in {n_falls} of {n_steps} steps from one k to the next."
    ),
    "growth.not_checked": Said("Printed: the loss grows with k. With one k alone there is nothing to compare."),
    "risk.holds": Said(
        "Printed: a student is re-identified with a chance of 50 % (k = 2) and 2.5 % (k = 40). The greatest "
        "measured are {measured_at_2:.1%} and {measured_at_40:.1%}, one over the smallest class. It holds for "
        "linking on these columns only, and it is a chance of linking, not of learning what a class shares."
    ),
    "risk.fails": Said(
        "Printed: a student is re-identified with a chance of 50 % (k = 2) and 2.5 % (k = 40). The greatest "
        "measured are {measured_at_2:.1%} and {measured_at_40:.1%}."
    ),
    "risk.not_checked": Said("Printed: re-identification 50 % (k = 2) and 2.5 % (k = 40). Not both k were measured."),
    "seconds.holds": _SLOWEST,
    "seconds.fails": _SLOWEST,
    "over_python.not_checked": Said(
        "Printed: at least {printed} times faster than the Python of l-greedy's authors. That code is not run "
        "here, so that nothing is said about it. Our own yardstick, l-greedy in plain Python written for this "
        "command, takes {plain_seconds:.2f} s at k = {k}, and the compiled search {compiled_seconds:.4f} s: "
        "{factor:.0f} times less."
    ),
    "share_of_marks.fails": Said(
        "Printed: with mean 6 and standard deviation 2 about 68 % of the marks lie in [5, 7]. Of {n_marks} marks "
        "drawn so, {within_one:.1%} do (the normal law: {law_within_one:.1%}). In [4, 8] lie {within_two:.1%} "
        "(law: {law_within_two:.1%}); 68 % in [5, 7] belongs to a standard deviation of 1 (law: "
        "{law_within_one_of_deviation_one:.1%})."
    ),
    "share_of_marks.holds": Said(
        "Printed: about 68 % of the marks lie in [5, 7]. Of {n_marks} marks drawn {within_one:.1%} do."
    ),
}
"""Every text by its key; what stands before a bar tells a short word from the same word elsewhere."""


def word(key: str, language: Language, **values: Any) -> str:
    """Return a text of the catalogue with its figures filled in.

    Examples
    --------
    >>> word("real", "es")
    'notas reales'
    """
    said = catalogue.Language(language).text(MESSAGES[key]).rpartition("|")[2]
    return localised(said.format(**values), language)


def status_word(status: Status, language: Language) -> str:
    """Return how a statement fares, in words.

    Examples
    --------
    >>> status_word("out_of_reach", "en")
    'out of reach'
    """
    return word(f"status.{status}", language)


def sentence(verdict: Verdict, language: Language) -> str:
    """Return a verdict in plain words.

    Examples
    --------
    >>> sentence(Verdict("seconds", "holds", {"n_runs": 4, "slowest": 0.0125}), "es")
    'Impreso: ambos tardan menos de un segundo. La más lenta de 4 búsquedas ha tardado 0,013 s aquí.'
    """
    figures = {
        name: _by_marks(value, language, ".1f" if name == "factor" else ".2%") if isinstance(value, dict) else value
        for name, value in verdict.figures.items()
    }
    return word(f"{verdict.statement}.{verdict.status}", language, **figures)


def localised(text: str, language: Language) -> str:
    """Put a blank before each percent sign and, in Spanish, a comma for the decimal point.

    Examples
    --------
    >>> localised("0.52% of 2..40", "es")
    '0,52 % of 2..40'
    """
    spaced = re.sub(r"(?<=\d)%", " %", text)
    return re.sub(r"(?<=\d)\.(?=\d)", ",", spaced) if language == "es" else spaced


def _by_marks(values: Mapping[str, float], language: Language, form: str) -> str:
    """Return ``5.26 % (real marks) and 5.41 % (integer marks)``."""
    said = [f"{value:{form}} ({word(marks, language)})" for marks, value in values.items()]
    return catalogue.Language(language).listed(said)
