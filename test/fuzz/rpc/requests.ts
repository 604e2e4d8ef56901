import type { Random } from '../random.ts'
import { mutateJson, mutateText } from './mutateJson.ts'
import type { CallSeed, Seeds } from './seeds.ts'
import { isWithheld } from './withheld.ts'
import type { Words } from './words.ts'

/** Calls in a batch at most. */
const maxBatch = 10
/** Changes of one request at most. */
const maxChanges = 3

/** Random requests near those that are right. */
export interface Requests {
  /** A call, with a number of its own. */
  call(id: number): object
  batch(id: number): readonly object[]
  /** The text of a call in which the call itself, not only its parameters, is spoilt. */
  spoilt(id: number): string
  /** The body of a GraphQL request. */
  query(): string
}

export function createRequests(random: Random, seeds: Seeds, words: Words): Requests {
  const lists = [...seeds.calls.values()]
  const anySeed = () => random.pick(random.pick(lists))

  function changed(value: unknown): unknown {
    let result = value
    for (let left = random.between(0, maxChanges); left > 0; left--) result = mutateJson(random, words, result)
    return result
  }

  function nextCall(): CallSeed {
    for (;;) {
      const { method } = anySeed()
      const own = random.pick(seeds.calls.get(method)!).params
      const params = changed(random.percent(5) ? anySeed().params : own)
      const call = { method, params: (Array.isArray(params) ? params : [params]) as readonly unknown[] }
      if (!isWithheld(call)) return call
    }
  }

  const call = (id: number) => ({ jsonrpc: '2.0', id, ...nextCall() })

  return {
    call,
    batch: (id) => Array.from({ length: random.between(1, maxBatch) }, (_, i) => call(id + i)),
    spoilt(id) {
      const object: Record<string, unknown> = call(id)
      const name = random.pick(['jsonrpc', 'id', 'params', 'more'])
      if (random.percent(50)) return JSON.stringify({ ...object, [name]: words.any() })
      if (random.percent(20)) return JSON.stringify(words.any())
      return mutateText(random, words, JSON.stringify(object))
    },
    query() {
      const { query, variables } = random.pick(seeds.queries)
      let text = query
      for (let left = random.between(0, maxChanges); left > 0; left--) text = changeQuery(random, words, text)
      return JSON.stringify(variables === undefined ? { query: text } : { query: text, variables: changed(variables) })
    },
  }
}

/** Another value for one of the literals or names, a part twice, or a slip of the pen. */
function changeQuery(random: Random, words: Words, query: string): string {
  const tokens = query.match(/"[^"]*"|\w+|\s+|\S/g) ?? ['']
  const at = random.below(tokens.length)
  const token = tokens[at]!
  switch (random.below(5)) {
    case 0:
      return mutateText(random, words, query)
    case 1:
      return tokens.toSpliced(at, 1).join('')
    case 2:
      return tokens.toSpliced(at, 0, ' ', token, ' ').join('')
    case 3:
      return tokens.with(at, random.pick(tokens)).join('')
    default: {
      const other = words.any()
      const literal = token.startsWith('"') ? JSON.stringify(words.textLike(token.slice(1, -1))) : JSON.stringify(other)
      return tokens.with(at, literal).join('')
    }
  }
}
