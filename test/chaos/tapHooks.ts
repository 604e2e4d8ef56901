// Hooks of the module loader: the ports over which validators talk write down each message before it leaves.
interface Loaded {
  readonly source?: unknown
}

const original = 'export function createValidatorLinks('
const tap = `
import { appendFileSync as append } from 'node:fs'
export function createValidatorLinks() {
  const links = createSilentLinks()
  return {
    ...links,
    send(protocol, code, data, to) {
      append(process.env.QUOIN_CHAOS_TAP, '\\n' + code + ' ' + Buffer.from(data).toString('base64') + ' ')
      links.send(protocol, code, data, to)
    },
  }
}
`

/** Puts the tap into the one module that all messages of validators leave by. */
export async function load(
  url: string,
  context: object,
  next: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> {
  const loaded = await next(url, context)
  if (!url.endsWith('/node/ports/validatorLinks.js')) return loaded
  const source = Buffer.from(loaded.source as Uint8Array).toString()
  if (!source.includes(original)) throw new Error(`${url} has changed: messages of validators cannot be recorded`)
  return { ...loaded, source: source.replace(original, 'function createSilentLinks(') + tap }
}
