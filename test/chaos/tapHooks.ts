// Hooks of the module loader: the ports over which validators talk write down each message, and each own block, before it leaves.
interface Loaded {
  readonly source?: unknown
}

/** A module and the function in it that all of a kind leaves by; the tap takes its name and calls it by another. */
interface Tap {
  readonly module: string
  readonly name: string
  readonly code: string
}

const append = `
import { appendFileSync as append } from 'node:fs'
const tell = (what, text) => append(process.env.QUOIN_CHAOS_TAP, '\\n' + what + ' ' + text + ' ')
`

const taps: readonly Tap[] = [
  {
    module: '/node/ports/validatorLinks.js',
    name: 'createValidatorLinks',
    code: `
export function createValidatorLinks() {
  const links = createSilently()
  return {
    ...links,
    send(protocol, code, data, to) {
      tell(code, Buffer.from(data).toString('base64'))
      links.send(protocol, code, data, to)
    },
  }
}
`,
  },
  {
    module: '/node/ports/networkSwitch.js',
    name: 'createNetworkSwitch',
    code: `
export function createNetworkSwitch() {
  const network = createSilently()
  const hex = (bytes) => Buffer.from(bytes).toString('hex')
  return {
    ...network,
    broadcastBlock(block, holders) {
      tell('block', hex(block.header.parentHash) + '-' + hex(block.hash))
      network.broadcastBlock(block, holders)
    },
  }
}
`,
  },
]

/** Puts the taps into the modules that all messages and own blocks of validators leave by. */
export async function load(
  url: string,
  context: object,
  next: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> {
  const loaded = await next(url, context)
  const tap = taps.find(({ module }) => url.endsWith(module))
  if (!tap) return loaded
  const original = `export function ${tap.name}(`
  const source = Buffer.from(loaded.source as Uint8Array).toString()
  if (!source.includes(original)) throw new Error(`${url} has changed: what validators say cannot be recorded`)
  return { ...loaded, source: source.replace(original, 'function createSilently(') + append + tap.code }
}
