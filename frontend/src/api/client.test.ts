import { expect, test } from "vitest";

import { answer, Away, Refused, refusedBy } from "./client";

test("a refusal keeps its code, its sentence and its problems", () => {
  const refused = refusedBy(422, {
    error: "invalid_definition",
    detail: "repeat: too many",
    problems: [{ key: "repeat", line: 3, message: "too many" }, "nonsense", null],
  });
  expect(refused).toMatchObject({ status: 422, code: "invalid_definition", message: "repeat: too many" });
  expect(refused.problems).toEqual([{ key: "repeat", line: 3, message: "too many" }]);
});

test("an answer in another shape is named by its status", () => {
  expect(refusedBy(500, "<html>").message).toContain("500");
  expect(refusedBy(500, undefined).code).toBe("unreadable_answer");
});

test("what a call brought is returned, a refusal is thrown, and a gateway's answer means that the server is away", async () => {
  const with_ = (status: number, body: { data?: unknown; error?: unknown }) =>
    answer(Promise.resolve({ ...body, response: new Response(null, { status }) }));
  await expect(with_(200, { data: 7 })).resolves.toBe(7);
  await expect(with_(404, { error: { error: "not_found", detail: "d" } })).rejects.toBeInstanceOf(Refused);
  await expect(with_(502, { error: "" })).rejects.toBeInstanceOf(Away);
});
