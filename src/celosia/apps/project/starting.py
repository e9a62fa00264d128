"""The text of a new project file: guesses with their reasons, questions to answer, and how to go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from celosia.base.yaml import in_one_line
from celosia.data.schema import Role
from celosia.jobs.suggest import Suggestion, key_lines, to_plan_text

_LONGEST_PLAIN_KEY = 1000
"""YAML allows 1024 characters before the colon of a key; longer ones need a question mark in front."""


@dataclass(frozen=True)
class Wanted:
    """What is known about a project when it is begun; the rest is left to be filled in."""

    title: str = ""
    controller: str = ""
    contact: str = ""
    is_public: bool = False
    recipients: tuple[str, ...] = ()
    threshold: str | None = None
    harm: str | None = None


def new_text(wanted: Wanted, suggestions: Sequence[Suggestion], *, input: str) -> str:
    r"""Return the people's part of a new project file.

    Parameters
    ----------
    input
        The data file as the project names it: relative to its folder, or absolute.

    Examples
    --------
    >>> print(new_text(Wanted(title="Exams"), [], input="exams.csv").split("\n")[4])
    title: Exams  # what the data are called
    """
    lines = [
        *_HEAD,
        "celosia: project",
        "version: 1",
        f"title: {_filled(wanted.title)}  # what the data are called",
        f"controller: {_filled(wanted.controller)}  # who answers for them",
        f"contact: {_filled(wanted.contact)}  # how to reach them",
        f"input: {in_one_line(input)}",
        "output: {path: release/, format: csv}",
        "",
        "steps:",
        *_release_model(wanted),
        *_targets(wanted),
        *_attributes(suggestions),
        *_purposes(suggestions),
        *_ANONYMISATION,
        *_LAST_STEPS,
    ]
    lines += _documentation(wanted)
    lines += [
        "# Written by Celosía. Do not edit below: a change by hand shows, and nothing goes on until it is undone.",
        "",
    ]
    return "\n".join(line.rstrip() for line in lines)


_HEAD = [
    "# A project of Celosía: eight steps, each signed by a named person. Fill in what stands empty, check what is",
    "# guessed, and ask at any time what comes next: celosia project next",
]


def _filled(text: str) -> str:
    return in_one_line(text) if text else ""


def _release_model(wanted: Wanted) -> list[str]:
    if wanted.is_public:
        return ["  release_model:  # 1 Who gets it?", "    kind: public  # anybody; or non_public: named recipients"]
    return [
        "  release_model:  # 1 Who gets it?",
        "    kind: non_public  # named recipients; or public: anybody, and then no recipients are listed",
        f"    recipients: {in_one_line(list(wanted.recipients))}",
        "    fixed_number:  # true: nobody else gets it; false: others may follow",
    ]


def _targets(wanted: Wanted) -> list[str]:
    accepted = f"harm: {in_one_line(wanted.harm)}" if wanted.harm else f"threshold: {wanted.threshold or ''}"
    lines = [
        "",
        "  targets:  # 2 Which risk is accepted, which utility wanted? Fixed before any result is seen.",
    ]
    if wanted.is_public:
        lines += ["    covers: data  # a public release is under no controls: an attempt is taken as certain"]
    else:
        lines += [
            "    covers: data and controls  # the scenarios below count; or data: an attempt is taken as certain, and",
            "                               # no scenario may stand below",
        ]
    lines += [
        "    risk:  # as in a plan; 'celosia negotiate' shows what a threshold asks for",
        f"      {accepted}  # the accepted risk in (0, 1]; or harm: low, medium or high",
    ]
    if not wanted.is_public:
        lines += [
            "      insider:",
            "        controls:  # the extent of mitigating controls: high, medium, low or none",
            "        motivation:  # motivation and resources of a recipient: low, medium or high",
        ]
    lines += [
        "    utility:",
        "      max_loss:  # the greatest loss (GCP, 0 to 1) with which the release is still of use, such as 0.5",
        "      max_suppression:  # the share of rows that may be left out, such as 0.02",
        "    why:  # why these targets",
    ]
    return lines


def _attributes(suggestions: Sequence[Suggestion]) -> list[str]:
    text = to_plan_text(suggestions, input="x").split("\nschema:\n", 1)[1].split("\n")
    schema = takewhile(lambda line: line.startswith(" "), text)
    return [
        "",
        "  attributes:  # 3 What is each column, and who could know it?",
        "    # Every role is a guess from names, patterns and counts: move a column to another list to change it.",
        "    # Is it the same wherever the person turns up, does it differ between people, can others know it? All",
        "    # three make a quasi-identifier.",
        *(f"    # {line}" for line in key_lines(suggestions)),
        "    schema:",
        *(f"    {line}" for line in schema),
    ]


def _purposes(suggestions: Sequence[Suggestion]) -> list[str]:
    kept = [one for one in suggestions if one.role != Role.IDENTIFIER]
    return [
        "",
        "  purposes:  # 4 What is each column needed for? What nobody needs goes. Identifiers go by their role.",
        "    keep:  # the purpose of each column; move those that nobody needs to drop",
        *(f"      {_key(one.column)}" for one in kept),
        "    drop: {}  # the reason for each column, such as {weight: not needed}",
    ]


def _key(column: str) -> str:
    name = in_one_line(column)
    return f"? {name}" if len(name) > _LONGEST_PLAIN_KEY else f"{name}:"


_ANONYMISATION = [
    "",
    "  anonymisation:  # 5 Which techniques? The loop finds k.",
    "    masks: []  # as in a plan, such as - top_code: {column: age, at: 90}",
    "    models: []  # beside k-anonymity, such as - l_diversity: {l: 3, on: diagnosis}",
    "    try:  # what the loop may try",
    "      algorithms: [weave]",
    "      max_suppression: [0]  # shares of rows; none above that of step 2",
    "      k:  # to begin with; empty: the smallest that the threshold asks for",
]
_LAST_STEPS = [
    "",
    "  risk:  # 6 Is the risk below the threshold? Measured by: celosia project run",
    "    accepted: []  # warnings that a named person answers for: celosia project accept CODE --by NAME --reason TEXT",
    "",
    "  evaluation:  # 7 Is it useful enough, and does the benefit outweigh the risk to people?",
    "    benefit:  # what society, science or the people themselves gain",
    "    harm:  # what a re-identification would do to people",
    "    balance:  # why the one outweighs the other",
]


def _documentation(wanted: Wanted) -> list[str]:
    lines = ["", "  documentation:  # 8 Which controls go with it, and when is it looked at again?"]
    if not wanted.is_public:
        lines += [
            "    controls:  # write none where there are none",
            "      organisational:",
            "      contractual:",
            "      technical:",
        ]
    return [
        *lines,
        "    review:  # the day of the next review, such as 2027-11-15",
        "    triggers: [new recipient, new public source, new release]  # what calls for one sooner",
        "",
    ]
