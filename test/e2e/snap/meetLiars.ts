import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { verifyData } from '../../../src/maintenance/verifyData.ts'
import { ethCodes } from '../../../src/net/eth/messages.ts'
import { kindOf } from '../../../src/net/snap/messages.ts'
import { decodeRequest, encodeRequest } from '../../../src/net/snap/requests.ts'
import { decodeResponse, encodeResponse } from '../../../src/net/snap/responses.ts'
import type { Hash32 } from '../../../src/primitives/bytes.ts'
import { type Authority, authorities } from '../../support/authorityChain.ts'
import { createTestNetworks } from '../../support/netHarness.ts'
import { snapLies } from '../../support/snapLies.ts'
import type { SnapNode } from '../../support/snapNode.ts'
import { createRandom } from '../../support/snapWorld.ts'
import { altering, type ChangeMessage, silentAt, type Tampering, tampered } from '../../support/tampered.ts'
import { comesTo, createJoiner, networkOf, offer, type SnapTerms } from './joiner.ts'
import { changeAt, formerValidators, presentValidators, startSource } from './source.ts'

interface Liar {
  readonly name: string
  readonly eth?: Pick<Tampering, 'send' | 'receive'>
  readonly snap?: Pick<Tampering, 'send' | 'receive'>
  /** Who seals the blocks of its own chain, which is longer; the honest chain if absent. */
  readonly sealers?: (number: number) => readonly Authority[]
  /** Whether others can prove that it lies: then it has to be disconnected. Who says nothing may only be slow. */
  readonly isProven: boolean
}

const liesOfEth: readonly Liar[] = [
  ...[5, 200, 4000].map((at) => ({ name: `headers altered at ${at}`, eth: altering(ethCodes.blockHeaders, at) })),
  ...[5, 100].map((at) => ({ name: `bodies altered at ${at}`, eth: altering(ethCodes.blockBodies, at) })),
  ...[5, 40, 300].map((at) => ({ name: `receipts altered at ${at}`, eth: altering(ethCodes.receipts, at) })),
].map(({ name, eth }) => ({ name, eth: { send: eth }, isProven: false }))

const silent: readonly Liar[] = (['blockHeaders', 'blockBodies', 'receipts'] as const).map((message) => ({
  name: `no ${message}`,
  eth: { send: silentAt(ethCodes[message]) },
  isProven: false,
}))

/** Changes each response of snap as a lie says. */
function lying(name: string): ChangeMessage {
  const random = createRandom(7)
  return (code, payload) => {
    const { kind, isResponse } = kindOf(code)
    if (!isResponse) return payload
    const { id, message } = decodeResponse(kind, payload)
    const changed = snapLies[name]!(kind, message, random, undefined as never, undefined as never)
    return changed && encodeResponse(kind, id, changed as never)
  }
}

/** Answers from the state of another block than the one that is asked for. */
const servingOld =
  (root: Hash32): ChangeMessage =>
  (code, payload) => {
    const { kind, isResponse } = kindOf(code)
    if (isResponse || kind === 'byteCodes') return payload
    const { id, message } = decodeRequest(kind, payload)
    return encodeRequest(kind, id, { ...message, root } as never)
  }

const strangers = authorities(12).slice(8)

const pivots: readonly Liar[] = [
  { name: 'sealed by two of four', sealers: (n) => at(n, presentValidators.slice(0, 2)), isProven: true },
  { name: 'sealed by one', sealers: (n) => at(n, presentValidators.slice(0, 1)), isProven: true },
  { name: 'sealed by former validators', sealers: () => formerValidators, isProven: true },
  { name: 'sealed by strangers', sealers: (n) => at(n, strangers), isProven: true },
  {
    name: 'sealed by two of now and two former ones',
    sealers: (n) => at(n, [...presentValidators.slice(0, 2), ...formerValidators.slice(0, 2)]),
    isProven: true,
  },
]

/** The liar's chain is right until the validators have changed. */
function at(number: number, sealers: readonly Authority[]): readonly Authority[] {
  if (number < changeAt) return formerValidators
  return number < 60 ? presentValidators : sealers
}

function liarsOf(source: SnapNode): readonly Liar[] {
  const old = source.chain.read((view) => view.headerAt(20n)!.header.stateRoot)
  const lies = Object.keys(snapLies).filter((name) => name !== 'serves an old state')
  const isQuiet = (name: string) => ['says nothing', 'has nothing', 'says that nothing is left'].includes(name)
  return [
    ...pivots,
    ...lies.map((name): Liar => ({ name: `snap: ${name}`, snap: { send: lying(name) }, isProven: !isQuiet(name) })),
    { name: 'snap: serves an old state', snap: { receive: servingOld(old) }, isProven: true },
    ...liesOfEth,
    ...silent,
  ]
}

/** A node that joins meets a liar first, and an honest peer after the first lie: it has to arrive where the honest chain is. */
export async function meetLiars(terms: SnapTerms): Promise<void> {
  const { checks, source, fast, only } = terms
  if (only.length > 0 && !only.includes('liars')) return
  const liars = liarsOf(source)
  const chosen = fast ? liars.filter((_, i) => i % 6 === 0) : liars
  let accepted = 0
  for (const liar of chosen)
    await checks.step(`liar: ${liar.name}`, async () => {
      const { isRight, lied, dropped } = await meet(liar, terms)
      if (!isRight) accepted++
      if (!isRight) throw new Error('the node is not where the honest chain is')
      if (lied === 0) throw new Error('it was asked for nothing')
      if (liar.isProven && !dropped) throw new Error('it was not disconnected')
    })
  checks.equal(`${chosen.length} liars, accepted`, accepted, 0)
}

async function meet(liar: Liar, { folder, source, genesisFile }: SnapTerms) {
  const networks = createTestNetworks()
  let lied = 0
  let isDropped = false
  const path = join(folder, `liar-${liar.name.replaceAll(/\W/g, '-')}`)
  const other = liar.sealers && startSource(`${path}-source`, 220, liar.sealers)
  const counting = (change: ChangeMessage | undefined): ChangeMessage | undefined =>
    change &&
    ((code, payload) => {
      const changed = change(code, payload)
      if (!changed || Buffer.compare(changed, payload) !== 0) lied++
      return changed
    })
  const onClose = () => {
    isDropped = true
  }
  try {
    const protocols = (['eth', 'snap'] as const).map((name) => {
      const own = liar[name]
      const send = counting(own?.send)
      const receive = counting(own?.receive)
      return tampered((other ?? source).protocol(name), { ...(send && { send }), ...(receive && { receive }), onClose })
    })
    const bad = await offer(networks, 2, protocols)
    const good = await offer(networks, 1, [source.protocol('eth'), source.protocol('snap')])
    const node = await createJoiner(path, genesisFile, [bad])
    node.start()
    try {
      // A chain of its own is a lie as a whole.
      const begin = performance.now()
      while (!(lied > 0 || isDropped) && performance.now() < begin + 60_000) await delay(20)
      if (other && isDropped) lied++
      for (let isAdded = false; !isAdded; )
        isAdded = await node.call<boolean>('admin_addPeer', good).then(
          () => true,
          () => false,
        )
      await comesTo(node, source)
    } finally {
      await node.stop()
    }
    const { findings, head } = await verifyData(path, networkOf(genesisFile), () => {})
    const isRight = findings.length === 0 && Buffer.compare(head!.hash, source.head().hash) === 0
    return { isRight, lied, dropped: isDropped }
  } finally {
    await networks.stop()
    await other?.close(true)
  }
}
