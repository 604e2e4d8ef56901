import { derived, type GivenTexts } from './option.ts'

/** Without options the node runs the DEV network, which is useless if its API is off. */
export const onForDev = derived('true on the DEV network, else false', (given) => !given.has('genesis-file'))

/** Whether the options start the DEV network with private transactions. */
export function isPrivateDev(given: GivenTexts): boolean {
  return !given.has('genesis-file') && given.get('privacy-enabled')?.toLowerCase() === 'true'
}

/** Origins of pages that this machine serves and of browser extensions, such as wallets. */
export const localOrigins = [
  'https?://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?',
  '(chrome|moz|safari-web)-extension://.*',
] as const

/** Pages of this machine may use the DEV network. */
export const servedOrigins = derived('localhost and browser extensions on the DEV network, else none', (given) =>
  given.has('genesis-file') ? [] : localOrigins,
)
