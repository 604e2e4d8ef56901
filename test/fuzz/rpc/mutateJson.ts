import type { Random } from '../random.ts'
import type { Words } from './words.ts'

/** A list that is made longer has so many members; one with more text than this is left as it is. */
const manyMembers = 100
const maxText = 1000

/** The value with one change somewhere in it. */
export function mutateJson(random: Random, words: Words, json: unknown): unknown {
  if (Array.isArray(json)) return mutateList(random, words, json)
  if (typeof json === 'object' && json !== null) return mutateObject(random, words, json)
  if (random.percent(25)) return words.any()
  return typeof json === 'string' ? mutateText(random, words, json) : words.any()
}

function mutateList(random: Random, words: Words, list: readonly unknown[]): unknown {
  const at = random.below(list.length)
  if (list.length > 0 && random.percent(75)) return list.with(at, mutateJson(random, words, list[at]))
  switch (random.below(6)) {
    case 0:
      return list.toSpliced(at, 1)
    case 1:
      return [...list, words.any()]
    case 2:
      return list.toSpliced(at, 0, words.any())
    case 3:
      return repeated(list)
    case 4:
      return list.toReversed()
    default:
      return words.any()
  }
}

function repeated(list: readonly unknown[]): readonly unknown[] {
  if (list.length === 0 || JSON.stringify(list).length > maxText) return list
  return Array.from({ length: manyMembers }, (_, i) => list[i % list.length])
}

function mutateObject(random: Random, words: Words, object: object): unknown {
  const entries = Object.entries(object)
  const at = random.below(entries.length)
  const entry = entries[at]
  if (entry && random.percent(65)) {
    const [name, value] = entry
    return { ...object, [name]: mutateJson(random, words, value) }
  }
  if (entry && random.percent(40)) return Object.fromEntries(entries.toSpliced(at, 1))
  if (random.percent(10)) return words.any()
  const [name, value] = words.member()
  return { ...object, [name]: value }
}

/** The text with one change, as a slip of the pen or an attack would make it. */
export function mutateText(random: Random, words: Words, text: string): string {
  const at = random.below(text.length + 1)
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + text.slice(at + 1)
    case 2:
      return text.slice(0, at) + random.pick(['0', 'f', 'g', '"', '\\', '{', '(', ' ', '\n', 'é']) + text.slice(at)
    case 3:
      return text.toUpperCase()
    default:
      return words.textLike(text)
  }
}
