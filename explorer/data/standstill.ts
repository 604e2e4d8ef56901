import type { Hex } from 'viem'
import { readExtraData } from '../decode/extraData.ts'
import { standstillOf } from '../decode/standstill.ts'
import { toQuantity } from '../format/quantity.ts'
import { useNow } from './clock.ts'
import { useHead } from './head.ts'
import { askOf } from './nodes.ts'
import type { Header } from './objects.ts'
import { useSite } from './session.ts'
import { useLoad } from './useLoad.ts'

/** Seconds without a block before anything is asked: nothing is on a network that is well. */
const patience = 8
/** Blocks over which the usual time between two is taken, and seconds between two looks at the other nodes. */
const span = 20
const lookEvery = 5
const answerMs = 3000

/** A chain that stands still: for how long, how often blocks came before, and which nodes do not answer. */
export interface Standstill {
  readonly seconds: number
  readonly usual: number
  readonly nodes: number
  readonly silent: readonly string[]
}

type SealedHead = Header & { readonly extraData: Hex }

/** Whether the chain of the shown node stands still; undefined if not, and where blocks come only with transactions. */
export function useStandstill(): Standstill | undefined {
  const { ask, node, nodes } = useSite()
  const { number, seenAt } = useHead()
  const now = useNow()
  const waits = number !== undefined && number > 0 && now - seenAt / 1000 > patience
  const pace = useLoad(`pace ${node.path} ${waits && number}`, async () => {
    if (!waits) return undefined
    const [head, earlier] = await Promise.all(
      [number, Math.max(0, number - span)].map((one) =>
        ask<SealedHead>('eth_getBlockByNumber', [toQuantity(one), false]),
      ),
    )
    if (!head || !earlier || readExtraData(head.extraData).kind === 'other') return undefined
    return { blocks: Number(head.number) - Number(earlier.number), from: earlier, to: head }
  }).value
  const found =
    waits && pace
      ? standstillOf(Number(pace.from.timestamp), Number(pace.to.timestamp), pace.blocks, now - seenAt / 1000)
      : undefined
  const turn = found && Math.floor(now / lookEvery)
  const silent = useLoad(
    `silent ${found !== undefined}`,
    async () => {
      if (!found) return []
      const answers = await Promise.allSettled(nodes.map((one) => askOf(one)('eth_chainId', [], answerMs)))
      return nodes.filter((_, i) => answers[i]!.status === 'rejected').map(({ name }) => name)
    },
    turn,
  ).value
  return found && { ...found, nodes: nodes.length, silent: silent ?? [] }
}
