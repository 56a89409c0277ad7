/** The words that run the program, for commands that the user can type next: `npx merostore` where npx ran it. */
export function programName(env: NodeJS.ProcessEnv = process.env): string {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = "" } = env;
  return event === "npx" && /^"?merostore\b/.test(script) ? "npx merostore" : "merostore";
}
