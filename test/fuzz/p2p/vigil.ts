import { setTimeout as sleep } from 'node:timers/promises'
import type { Checks } from '../../interop/checks.ts'
import { heightOf } from '../../interop/rpcNode.ts'
import type { ValidatorProcess } from '../../support/validatorProcess.ts'

/** Milliseconds between two looks at the chain. */
const lookEvery = 500
/** Seconds that may pass without a block, also on a machine with other work. */
const maxGap = 90

interface PeerInfo {
  readonly id: string
  readonly network: { readonly localAddress: string; readonly remoteAddress: string }
}

/** The connections of a node with these others, by their ports: another connection has other ports. */
async function connectionsOf(node: ValidatorProcess, others: readonly ValidatorProcess[]): Promise<string[]> {
  const peers = await node.call<PeerInfo[]>('admin_peers')
  return others.map(({ name, enode }) => {
    const found = peers.find(({ id }) => enode.includes(id.replace(/^0x/, '')))
    return `${name}: ${found ? `${found.network.localAddress} ${found.network.remoteAddress}` : 'not connected'}`
  })
}

/** Watches a validator that is attacked: it makes blocks, and stays connected with the honest ones. */
export async function keepVigil(node: ValidatorProcess, honest: readonly ValidatorProcess[]) {
  const before = await connectionsOf(node, honest)
  const first = await heightOf(node)
  let height = first
  let last = performance.now()
  let longest = 0
  const timer = setInterval(async () => {
    const now = await heightOf(node).catch(() => height)
    longest = Math.max(longest, performance.now() - last)
    if (now > height) last = performance.now()
    height = Math.max(now, height)
  }, lookEvery)
  return {
    async check(checks: Checks): Promise<void> {
      // A short attack may end before the next block is due.
      while (height === first && longest <= maxGap * 1000) await sleep(lookEvery)
      clearInterval(timer)
      const seconds = Math.round(longest / 1000)
      checks.note(`${height - first} blocks were made, ${seconds} s without one at most`)
      checks.equal(`a block at least every ${maxGap} s`, height > first && seconds <= maxGap, true)
      const after = await connectionsOf(node, honest).catch(() => [])
      checks.equal('the honest peers kept their connections', after, before)
    },
  }
}
