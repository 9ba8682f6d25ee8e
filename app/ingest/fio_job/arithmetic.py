"""Expressions in parentheses, such as `bs=(4k*2)`, by the rules of fio's own expression grammar.

fio has them when it is built with lex and yacc; Debian's 3.33 is not, and refuses such a value.
The grammar has surprises that are kept: a suffix binds looser than `*` and tighter than `+`, `PiB` is 10^12, a
fraction is cut before its suffix multiplies it ((1.5k) is 1024), and a result without any suffix is cut to 32 bits.
One is not kept: fio lets a division by zero pass, here it is refused.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

MAX_DEPTH = 64  # deeper nesting than any real job; keeps the recursion bounded

_TOKEN = re.compile(
    r"[ \t]*(?:(?P<real>[0-9]*\.[0-9]+|[0-9]*\.?[0-9]+[eE][-+]*[0-9]+)|(?P<hex>0x[0-9a-fA-F]+)|(?P<int>[0-9]+)"
    r"|(?P<suffix>[kKmMgGpP][iI][bB]|[kKmMgGtTpP][bB]|[mMuU][sS]|[kKgGtTpPsSmMdDhH])|(?P<sign>[-+*/()^%]))"
)
_SUFFIXES: dict[str, int] = {
    **{f"{letter}{tail}": 1024**power for power, letter in enumerate("kmgtp", 1) for tail in ("", "b")},
    "kib": 10**3,
    "mib": 10**6,
    "gib": 10**9,
    "pib": 10**12,
    "us": 1,
    "ms": 1000,
    "s": 10**6,
    "d": 86400 * 10**6,
    "h": 3600 * 10**6,
}
# Binding powers of the grammar's operators, loosest first; a suffix is an operator after its operand.
_POWERS = {"+": 1, "-": 1, "*": 3, "/": 3, "^": 4, "%": 5}
_SUFFIX_POWER = 2
_UNARY_POWER = 6


class Outcome(NamedTuple):
    """The value of an expression: fio keeps a 64-bit integer and a real number side by side.

    `cut` tells that 32 bits, which is all fio gives a result without a suffix, were not enough.
    """

    integer: int
    real: float
    is_real: bool = False
    cut: bool = False


class _Refused(Exception):
    """The text is not an expression that fio can evaluate."""


def _int64(value: int) -> int:
    value %= 1 << 64
    return value - (1 << 64) if value >= 1 << 63 else value


def _whole(value: float) -> int:
    return int(value) if abs(value) < 2.0**63 else -(2**63)


def _tokens(text: str) -> list[tuple[str, str]]:
    text = re.split(r"[#:,\n]", text, maxsplit=1)[0]
    tokens, at = [], 0
    while text[at:].strip(" \t"):
        found = _TOKEN.match(text, at)
        if not found or found.lastgroup is None:
            raise _Refused
        tokens.append((found.lastgroup, found[found.lastgroup]))
        at = found.end()
    return tokens


class _Expression:
    def __init__(self, tokens: list[tuple[str, str]], *, is_time: bool) -> None:
        self.tokens, self.is_time, self.at, self.units = tokens, is_time, 0, False

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        token = self.peek()
        self.at += 1
        return token

    def operand(self, depth: int) -> Outcome:
        kind, text = self.take()
        if depth > MAX_DEPTH:
            raise _Refused
        match kind, text:
            case "int" | "hex", _:
                number = int(text, 16 if kind == "hex" else 10)
                value = _int32(number if number < 2**63 else -1)
                return Outcome(value, float(value))
            case "real", _:
                return Outcome(_whole(_real(text)), _real(text), is_real=True)
            case "sign", "-":
                inner = self.expression(_UNARY_POWER, depth + 1)
                return Outcome(_int64(-inner.integer), -inner.real)
            case "sign", "(":
                inner = self.expression(0, depth + 1)
                if self.take() != ("sign", ")"):
                    raise _Refused
                return inner
            case _:
                raise _Refused

    def expression(self, floor: int, depth: int) -> Outcome:
        left = self.operand(depth)
        while True:
            kind, text = self.peek()
            if kind == "suffix" and floor < _SUFFIX_POWER:
                self.take()
                left = self.with_suffix(left, text.lower())
            elif kind == "sign" and (power := _POWERS.get(text, 0)) > floor:
                self.take()
                left = _apply(text, left, self.expression(power - (text == "^"), depth + 1))
            else:
                return left

    def with_suffix(self, left: Outcome, suffix: str) -> Outcome:
        self.units = True
        factor = 60 * 10**6 if suffix == "m" and self.is_time else _SUFFIXES[suffix]
        if suffix in ("us", "ms") or left.is_real:
            return Outcome(_whole(float(_whole(left.real)) * factor), left.real * factor, left.is_real)
        return Outcome(_int64(left.integer * factor), float(left.integer * factor))


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise _Refused from error


def _int32(value: int) -> int:
    value %= 1 << 32
    return value - (1 << 32) if value >= 1 << 31 else value


def _quotient(dividend: int, divisor: int) -> int:
    whole = abs(dividend) // abs(divisor)
    return whole if (dividend < 0) == (divisor < 0) else -whole


def _power(base: int, exponent: int) -> int:
    return pow(base, exponent, 1 << 64) if exponent >= 0 else int(float(base) ** exponent)


def _apply(sign: str, left: Outcome, right: Outcome) -> Outcome:
    real = left.is_real or right.is_real
    try:
        match sign:
            case "+":
                whole, fraction = left.integer + right.integer, left.real + right.real
            case "-":
                whole, fraction = left.integer - right.integer, left.real - right.real
            case "*":
                whole, fraction = left.integer * right.integer, left.real * right.real
            case "/":
                fraction = left.real / right.real
                whole = _quotient(left.integer, right.integer) if right.integer else _whole(fraction)
            case "%":
                whole = left.integer - right.integer * _quotient(left.integer, right.integer)
                return Outcome(_int64(whole), float(whole), left.is_real)
            case _:
                fraction = math.pow(left.real, right.real)
                whole = _whole(fraction) if real else _power(left.integer, right.integer)
    except (ZeroDivisionError, OverflowError, ValueError) as error:
        raise _Refused from error
    # The grammar copies "is a real number" from the left operand alone.
    return Outcome(_whole(fraction) if real else _int64(whole), fraction, left.is_real)


def evaluate(text: str, *, is_time: bool, implied: int = 1) -> Outcome | None:
    """Evaluate an expression; None when it is none, or divides by zero.

    `implied` is the factor for a result that names no unit (a million for a time in seconds: microseconds).
    """
    try:
        expression = _Expression(_tokens(text), is_time=is_time)
        result = expression.expression(0, 0)
        if expression.peek()[0] != "end":
            raise _Refused
    except _Refused:
        return None
    if expression.units:
        return result
    scaled = result.integer * implied
    # fio casts the product to a C int here: beyond 31 bits x86 gives the smallest int.
    cut = not -(2**31) <= scaled < 2**31
    return Outcome(-(2**31) if cut else scaled, result.real * implied, result.is_real, cut)
