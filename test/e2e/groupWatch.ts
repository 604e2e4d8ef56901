import { setTimeout as delay } from 'node:timers/promises'
import type { RpcNode } from '../interop/rpcNode.ts'
import type { FlexibleClient } from '../support/flexibleClient.ts'
import { type Pace, toldPace, watchPace } from '../support/pace.ts'

/** Seconds of each attack. */
const watched = 25
/** Seconds between two private transactions of the group that is watched. */
const sendEvery = 1

/** Blocks, and the seconds of the slowest private transaction of a group that has to do with nothing of it. */
export interface Seen extends Pace {
  readonly slowest: number
  readonly sent: number
  readonly failed: number
}

export const told = (seen: Seen): string =>
  `${toldPace(seen)}; ${seen.sent} private transactions of another group within ${seen.slowest.toFixed(1)} s, ${seen.failed} failed`

/** Watches a network, and a group of it that sends all the time. */
export async function watchGroup(
  nodes: readonly RpcNode[],
  group: FlexibleClient,
  meanwhile: () => Promise<void>,
): Promise<Seen> {
  const end = watchPace(nodes, 1)
  let [slowest, sent, failed] = [0, 0, 0]
  let isOver = false
  async function sendOn(): Promise<void> {
    while (!isOver) {
      const since = performance.now()
      const status = await group.run(undefined, Uint8Array.of(0)).then(
        (done) => done.status,
        () => undefined,
      )
      sent++
      if (status !== '0x1') failed++
      slowest = Math.max(slowest, (performance.now() - since) / 1000)
      await delay(sendEvery * 1000)
    }
  }
  const sending = sendOn()
  try {
    await meanwhile()
    await delay(watched * 1000)
  } finally {
    isOver = true
    end()
  }
  await sending
  return { ...end(), slowest, sent, failed }
}
