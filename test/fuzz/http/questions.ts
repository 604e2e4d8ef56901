import type { Random } from '../random.ts'
import type { HttpWorld } from './httpWorld.ts'

/** The body of a request, for whatever block it asks: the latest one, or one by its number. */
export type Question = (block: string) => string

type Params = (block: string) => readonly unknown[]
type Call = (block: string) => unknown

const hex = (n: number) => `0x${n.toString(16)}`

/** Questions that are asked again. */
const maxAsked = 8

/** Makes questions whose answers depend on the block or not, are short or large, results or errors; `asked` are those of all clients. */
export function createQuestions(
  random: Random,
  world: Pick<HttpWorld, 'contract' | 'receiver' | 'knownHeight'>,
  asked: Question[] = [],
) {
  let id = 0

  /** Some of the same length, so that answers that are mixed up are found. */
  const nextId = () => (random.percent(20) ? 7 : random.percent(10) ? String(++id) : ++id)

  function paramsOf(): readonly [method: string, params: Params] {
    const stranger = `0x${random
      .below(1 << 30)
      .toString(16)
      .padStart(40, '0')}`
    const number = hex(random.below(world.knownHeight() + 1))
    return random.weighted<readonly [string, Params]>([
      [8, ['eth_getBalance', (block) => [world.receiver, block]]],
      [4, ['eth_getBalance', (block) => [stranger, block]]],
      [4, ['eth_getStorageAt', (block) => [stranger, '0x0', block]]],
      [4, ['eth_getBlockByNumber', (block) => [block, false]]],
      [3, ['eth_getBlockByNumber', () => [number, true]]],
      [3, ['eth_getCode', (block) => [world.contract, block]]],
      [3, ['web3_sha3', () => [stranger]]],
      [1, ['net_version', () => []]],
      [1, ['eth_getBalance', () => ['0xnothing']]],
      [1, ['eth_unknown', () => []]],
    ])
  }

  function call(): Call {
    const [method, params] = paramsOf()
    const id = nextId()
    const isNotification = random.percent(3)
    return (block) => {
      const json = { method, params: params(block), jsonrpc: '2.0' }
      return isNotification ? json : { ...json, id }
    }
  }

  function batch(): Question {
    const calls = Array.from({ length: random.between(0, 60) }, call)
    return (block) => JSON.stringify(calls.map((one) => one(block)))
  }

  /** Its answer is more than the system and the node take from a client that does not read. */
  function largeBatch(): Question {
    const code = { jsonrpc: '2.0', id: nextId(), method: 'eth_getCode', params: [world.contract, '0x1'] }
    const text = JSON.stringify(Array<object>(random.between(30, 500)).fill(code))
    return () => text
  }

  function single(): Question {
    const one = call()
    return (block) => JSON.stringify(one(block))
  }

  function invalid(): Question {
    const text = random.pick(['', '{', '[1,', '"', '\u{1f600}', '7'])
    return () => text
  }

  const fresh = (): Question =>
    random.weighted([
      [320, single],
      [90, batch],
      [1, largeBatch],
      [10, invalid],
    ] as const)()

  return (): Question => {
    // The very same bytes again, by this client or another one: what was answered before must not be answered after a block.
    if (asked.length > 0 && random.percent(30)) return random.pick(asked)
    const question = fresh()
    if (asked.length < maxAsked) asked.push(question)
    else asked[random.below(maxAsked)] = question
    return question
  }
}
