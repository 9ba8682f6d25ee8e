import createClient from "openapi-fetch";

import type { paths } from "./schema.generated";
import type { Problem } from "./types";

/** The server refused a request: its code, its sentence, and the problems it named. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly problems: Problem[];

  constructor(status: number, code: string, detail: string, problems: Problem[] = []) {
    super(detail);
    this.name = "Refused";
    this.status = status;
    this.code = code;
    this.problems = problems;
  }
}

/** No answer came: the server is away, or the network is. */
export class Away extends Error {
  constructor() {
    super("the server does not answer");
    this.name = "Away";
  }
}

/** What a refused request says; anything else than the one error shape is named by its status. */
export function refusedBy(status: number, body: unknown): Refused {
  if (typeof body === "object" && body !== null && "error" in body && "detail" in body) {
    const problems = "problems" in body && Array.isArray(body.problems) ? body.problems.filter(isProblem) : [];
    return new Refused(status, String(body.error), String(body.detail), problems);
  }
  return new Refused(status, "unreadable_answer", `the server answered with status ${status}`);
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string";
}

async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Away();
  }
}

/** The typed client of `/api/v1`; every call goes to the server that served the page. */
export const api = createClient<paths>({ baseUrl: globalThis.location?.origin ?? "", fetch: reach });

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Return what a call brought. Throws Refused or Away. */
export async function answer<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) {
    // a proxy in front of a server that is away answers for it
    if (response.status === 502 || response.status === 504) throw new Away();
    throw refusedBy(response.status, error);
  }
  return data as T;
}
