import { type Options, optionNames } from './option.ts'
import { options } from './options.ts'
import { unsupported } from './unsupported.ts'

/** What becomes of an option of Besu. */
export interface BesuOption {
  readonly name: string
  readonly verdict: 'honoured' | 'warned' | 'refused'
  /** What it does, what Quoin does instead, or why it is refused. */
  readonly text: string
}

const honoured = optionNames(options)
const others = optionNames(unsupported)

/** Says what becomes of an option of Besu; undefined if Quoin does not know it. */
export function findBesuOption(name: string): BesuOption | undefined {
  const own = honoured.get(name)
  if (own !== undefined) {
    const { doc } = (options as Options)[own]!
    return { name, verdict: 'honoured', text: own === name ? doc : `The same as --${own}.` }
  }
  const option = unsupported[others.get(name) ?? '']
  if (!option) return undefined
  const { verdict, doc, fallbackText } = option
  if (fallbackText === undefined) return { name, verdict, text: doc }
  return {
    name,
    verdict,
    text: `${doc} (${fallbackText} ${verdict === 'refused' ? 'is accepted' : 'needs no warning'})`,
  }
}
