/** Show a page that has been gone to from its top; where one goes back to, the browser scrolls as it was left. */
export function startPagesAtTheirTop(): void {
  // the router tells of its pushState by an event of that name; the browser has kept the old page's place by then
  window.addEventListener("pushState", () => window.scrollTo({ top: 0, behavior: "instant" }));
}
