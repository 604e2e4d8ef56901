// Hooks of the module loader: blocks that a node builds are changed before it proposes them.
interface Loaded {
  readonly source?: unknown
}

const original = 'export function createBlockBuilder('
const spoiled = `
import { readFileSync as readMode } from 'node:fs'
function spoil(built) {
  let mode = ''
  try {
    mode = readMode(process.env.QUOIN_LIMP_INVALID, 'utf8')
  } catch {}
  const { header } = built.block
  if (mode === 'state root') built.header.stateRoot = header.stateRoot = header.stateRoot.map((byte) => byte ^ 1)
  if (mode === 'future') built.header.timestamp = header.timestamp = header.timestamp + 44n
  return built
}
export function createBlockBuilder(parts) {
  const builder = createSoundBuilder(parts)
  return {
    ...builder,
    *propose(plan) {
      const built = yield* builder.propose(plan)
      if (!built) return built
      const header = { ...built.block.header }
      return spoil({ ...built, header, block: { ...built.block, header } })
    },
  }
}
`

/** Spoils the one module in which blocks are built. */
export async function load(
  url: string,
  context: object,
  next: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> {
  const loaded = await next(url, context)
  if (!url.endsWith('/consensus/producing/blockBuilder.js')) return loaded
  const source = Buffer.from(loaded.source as Uint8Array).toString()
  if (!source.includes(original)) throw new Error(`${url} has changed: blocks cannot be made invalid`)
  return { ...loaded, source: source.replace(original, 'function createSoundBuilder(') + spoiled }
}
