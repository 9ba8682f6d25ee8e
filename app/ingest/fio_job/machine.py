"""The words in a job that stand for the machine: $ncpus, $mb_memory, $pagesize, and calculating with them.

fio replaces the word wherever it stands in `name=value` and, when the value then looks like arithmetic, hands it to
the calculator bc, which divides to whole numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation, localcontext

MAX_EXPRESSION_CHARS = 100  # fio calculates no longer ones
MAX_DEPTH = 32  # of parentheses
MAX_DIGITS = 40  # of a number; a size of 64 bits has 20

_WORD = re.compile(r"\$(pagesize|mb_memory|ncpus)")
_TOKEN = re.compile(r"\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+|[-+*/%^()])")


def has_word(text: str) -> bool:
    """Whether the text depends on the machine."""
    return bool(_WORD.search(text))


def filled_in(text: str, machine: Mapping[str, int]) -> str | None:
    """Return the text with the machine's numbers in it, calculated as fio does; None when that cannot be done.

    `machine` has some of `ncpus`, `mb_memory` and `pagesize`; a word that it lacks makes the answer None.
    """
    if any(word not in machine for word in _WORD.findall(text)):
        return None
    text = _WORD.sub(lambda found: str(machine[found[1]]), text)
    if not re.search(r"[-+*/]", text) or "'" in text or len(text) > MAX_EXPRESSION_CHARS:
        return text
    return _calculate(text)


def _calculate(text: str) -> str | None:
    tokens, at = [], 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if not found:
            return None
        tokens.append(found[1])
        at = found.end()
    try:
        with localcontext(prec=MAX_DIGITS):
            value = _Calculation(tokens).whole()
    except (InvalidOperation, ValueError, IndexError, ArithmeticError):
        return None
    return format(value, "f")


class _Calculation:
    _LEVELS: tuple[dict[str, Callable[[Decimal, Decimal], Decimal]], ...] = (
        {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
        {"*": lambda a, b: a * b, "/": lambda a, b: (a / b).to_integral_value("ROUND_DOWN"), "%": lambda a, b: a % b},
        {"^": lambda a, b: a ** int(b)},
    )

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.at = tokens, 0

    def whole(self) -> Decimal:
        value = self.level(0, 0)
        if self.at != len(self.tokens):
            raise ValueError
        return value

    def level(self, number: int, depth: int) -> Decimal:
        if number == len(self._LEVELS):
            return self.operand(depth)
        value = self.level(number + 1, depth)
        while self.at < len(self.tokens) and (operate := self._LEVELS[number].get(self.tokens[self.at])):
            self.at += 1
            value = operate(value, self.level(number + 1, depth))
        return value

    def operand(self, depth: int) -> Decimal:
        token = self.tokens[self.at]
        self.at += 1
        if depth > MAX_DEPTH:
            raise ValueError
        if token == "-":
            return -self.operand(depth + 1)
        if token != "(":
            return Decimal(token)
        value = self.level(0, depth + 1)
        if self.tokens[self.at] != ")":
            raise ValueError
        self.at += 1
        return value
