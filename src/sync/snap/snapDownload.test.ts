import { expect, test, vi } from 'vitest'
import { createManualClock } from '../../../test/support/manualClock.ts'
import { connectPair, type ProtocolPair } from '../../../test/support/protocolPair.ts'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import { createSnapWorld, type SnapWorld } from '../../../test/support/snapWorld.ts'
import { withTempStore } from '../../../test/support/tempStore.ts'
import type { SubProtocol } from '../../net/protocol.ts'
import { createSnapAnswers } from '../../net/snap/answers.ts'
import { createSnapProtocol, type SnapClient } from '../../net/snap/snapProtocol.ts'
import { createStoredDraft } from '../../state/storedDraft.ts'
import { publicState2 } from '../../store/schema.ts'
import { noNibbles } from '../../trie/nibbles.ts'
import { refAt } from '../../trie/nodeAt.ts'
import { createSnapDownload } from './snapDownload.ts'

const waiting = { timeout: 30_000, interval: 5 }
const log = createSilentLogs()
const now = () => performance.now()

/** A server whose responses go through `change`; it says nothing where that returns undefined. */
function serverOf(world: SnapWorld, change: (response: Uint8Array) => Uint8Array | undefined): SubProtocol {
  const answers = createSnapAnswers({ ...world, now })
  const ask = async (code: number, payload: Uint8Array) => {
    const response = change(answers(code, payload))
    return response ?? new Promise<Uint8Array>(() => {})
  }
  const server = { ask: ({ code, payload }: { code: number; payload: Uint8Array }) => ask(code, payload) }
  return createSnapProtocol({ server, clock: createManualClock(0), now: () => 0, log })
}

function clientOf(client: SnapClient): SubProtocol {
  const server = { ask: () => Promise.reject(new Error('nothing is served')) }
  return createSnapProtocol({ server, client, clock: createManualClock(0), now: () => 0, log })
}

const honest = (response: Uint8Array) => response
const altered = (response: Uint8Array) => {
  const out = response.slice()
  out[out.length - 3]! ^= 1
  return out
}

test('a state comes over the protocol, from honest peers, liars and one that is silent', () =>
  withTempStore(async (store) => {
    await withTempStore(async (other) => {
      const world = createSnapWorld(other, 11)
      const clock = createManualClock(0)
      const draft = createStoredDraft(store, publicState2)
      let stale = 0
      const done = vi.fn()
      const download = createSnapDownload({
        ...{ draft, clock, log },
        // Nobody has it.
        root: new Uint8Array(32).fill(1) as never,
        onStale: () => {
          stale++
          setImmediate(() => download.restart(world.roots[59]!))
        },
        onDone: done,
      })
      const pairs: ProtocolPair[] = [honest, altered, () => undefined, () => Uint8Array.of(1), honest].map((change) =>
        connectPair(serverOf(world, change), clientOf(download)),
      )
      await vi.waitFor(() => {
        clock.run(1000)
        expect(done).toHaveBeenCalledTimes(1)
      }, waiting)
      expect(stale).toBeGreaterThan(0)
      expect(pairs.map((pair) => pair.ended()?.by)).toEqual([undefined, 1, 1, 1, undefined])
      expect(refAt(draft.trie(undefined), noNibbles)).toEqual(world.roots[59])
      for (const pair of pairs) pair.close()
    })
  }))
