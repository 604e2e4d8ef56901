import type { ServerResponse } from 'node:http'

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

/** Path of the page with GraphiQL. */
export const graphiqlPath = '/graphiql.html'

/** Sets the headers of a page's files: the page asks nobody but its own origin, and nobody may embed it. */
export function setPagePolicy(response: ServerResponse, path: string): void {
  response.setHeader('Content-Security-Policy', path === graphiqlPath ? forGraphiql : strict)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
}
