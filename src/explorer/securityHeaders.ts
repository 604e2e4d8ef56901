const policy: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'font-src': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
}

const textOf = (directives: Readonly<Record<string, string>>) =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ')

const strict = textOf(policy)
/** The editor of GraphiQL sets styles from scripts. */
const forGraphiql = textOf({
  ...policy,
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self' data:",
  'worker-src': "'self' blob:",
})

/** Headers of every response: the page asks nobody but its own origin, and nobody may embed it. */
export function securityHeaders(path: string): readonly string[] {
  return [
    ...['Content-Security-Policy', path === '/graphiql.html' ? forGraphiql : strict],
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Referrer-Policy', 'no-referrer'],
    ...['Cross-Origin-Opener-Policy', 'same-origin'],
    ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ]
}
