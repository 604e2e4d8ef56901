import { connect } from 'node:net'
import type { LocalKey } from '../keys/nodeIdentity.ts'
import type { Enode } from '../net/enode.ts'
import { formatEnode } from '../net/enode.ts'
import type { Status } from '../net/eth/status.ts'
import { type Address, equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { publicKeyToAddress } from '../primitives/secp256k1.ts'
import type { ExpectedPeriod } from '../reporting/expectedPeriod.ts'
import { callPeer, type PeerAnswer, type PeerCall } from './callPeer.ts'
import { checkPeerClock } from './checkPeerClock.ts'
import { type Checked, fine, warning, wrong } from './finding.ts'

/** What peers are compared with. */
export interface OwnSide {
  /** Key to call them with. */
  readonly key: LocalKey
  readonly networkId: bigint
  readonly genesis: Hash32
  /** Validators of the next block; empty if they are unknown. */
  readonly validators: readonly Address[]
  /** Address of the node's own key. */
  readonly address: Address | undefined
  readonly expected: ExpectedPeriod | undefined
}

/** What calling the peers has shown; the clock is undefined if none of them could be compared with. */
export interface PeersChecked {
  readonly found: readonly Checked[]
  readonly clock: Checked | undefined
}

/** Calls all static nodes and bootnodes: that they answer, and that they are on the same chain. */
export async function checkPeers(nodes: readonly Enode[], own: OwnSide): Promise<PeersChecked> {
  if (nodes.length === 0) {
    const text = 'no static nodes and no bootnodes'
    return { found: [warning(text, 'name peers with --bootnodes or in static-nodes.json')], clock: undefined }
  }
  const calls = await Promise.all(nodes.map((node) => callPeer(node, own.key)))
  try {
    const answers = calls.map(({ answer }) => answer)
    const found = nodes.map((node, i) => describe(node, answers[i]!, own))
    if (own.validators.length > 0) found.push(checkValidators(nodes, answers, own))
    return { found, clock: await clockOf(calls, own) }
  } finally {
    for (const call of calls) call.close()
  }
}

/** Compares the clock with a peer of this chain: the first that shows its newest block. */
async function clockOf(calls: readonly PeerCall[], own: OwnSide): Promise<Checked | undefined> {
  for (const { answer, header } of calls) {
    if (answer.kind !== 'status' || !isSame(answer.status, own)) continue
    const { expected } = own
    const checked = await checkPeerClock({ best: answer.status.bestHash, header, expected, now: Date.now })
    if (checked) return checked
  }
  return undefined
}

const isSame = ({ genesisHash, networkId }: Status, own: OwnSide) =>
  equalBytes(genesisHash, own.genesis) && networkId === own.networkId

function describe(node: Enode, answer: PeerAnswer, own: OwnSide): Checked {
  const name = formatEnode(node).replace(/^enode:\/\/(.{8}).*@/, '$1…@')
  if (answer.kind === 'silent')
    return wrong(
      `peer ${name} does not answer (${answer.reason})`,
      'check that it runs, its address, port and key in the enode URL, and the firewalls between',
    )
  if (answer.kind === 'refused')
    return answer.reason === 'tooManyPeers'
      ? warning(`peer ${name} (${answer.client}) has no room for more peers`, 'raise --max-peers there')
      : warning(
          `peer ${name} (${answer.client}) answers and ends the connection (${answer.reason})`,
          'look at its allowlist of nodes; it does so too while this node is connected',
        )
  const { status, client } = answer
  if (!equalBytes(status.genesisHash, own.genesis))
    return wrong(
      `peer ${name} (${client}) has the genesis block ${toHex(status.genesisHash)}, this node ${toHex(own.genesis)}`,
      'use the same genesis file on all nodes',
    )
  if (status.networkId !== own.networkId)
    return wrong(
      `peer ${name} (${client}) has network id ${status.networkId}, this node ${own.networkId}`,
      'use the same --network-id on all nodes',
    )
  return fine(`peer ${name} (${client}) is on the same chain`)
}

function checkValidators(nodes: readonly Enode[], answers: readonly PeerAnswer[], own: OwnSide): Checked {
  const answering = nodes.filter((_, i) => answers[i]!.kind !== 'silent').map(({ id }) => publicKeyToAddress(id))
  const isThere = (validator: Address) =>
    [...answering, ...(own.address ? [own.address] : [])].some((address) => equalBytes(address, validator))
  const missing = own.validators.filter((validator) => !isThere(validator))
  const text = `${own.validators.length - missing.length} of ${own.validators.length} validators answer or are this node`
  if (missing.length === 0) return fine(text)
  const silent = missing.filter((validator) => nodes.some(({ id }) => equalBytes(publicKeyToAddress(id), validator)))
  const unnamed = missing.filter((validator) => !silent.includes(validator))
  const advice = [
    ...(silent.length > 0 ? [`start ${silent.map(toHex).join(', ')}, whose enode URLs do not answer`] : []),
    ...(unnamed.length > 0
      ? [`no enode URL is known for ${unnamed.map(toHex).join(', ')}; add them to static-nodes.json`]
      : []),
  ].join('; ')
  return missing.length * 3 > own.validators.length ? wrong(text, advice) : warning(text, advice)
}

/** Whether something listens on a port of an interface. */
export function answersOn(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: host === '0.0.0.0' ? '127.0.0.1' : host, port, timeout: 2000 })
    const end = (answer: boolean) => () => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false))
  })
}
