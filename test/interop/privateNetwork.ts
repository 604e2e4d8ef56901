import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { qbftCodec } from '../../src/consensus/qbft/qbftCodec.ts'
import { fromHex, hexToAddress } from '../../src/primitives/hex.ts'
import { generateKeyPair, plainKeyText, writeKeyFiles } from '../../src/privacyManager/keys.ts'
import { bftGenesis } from '../support/authorityChain.ts'
import { createBesuProcess } from './besuProcess.ts'
import type { InteropTerms } from './interop.ts'
import { createManagerProcess } from './managerProcess.ts'
import type { NodeProcess } from './nodeProcess.ts'
import { createQuoinProcess } from './quoinProcess.ts'
import { eventually, reach } from './rpcNode.ts'
import { createSeat, type Seat } from './seat.ts'
import { stopAll } from './stopAll.ts'
import { type Tessera, withTesseras } from './tesseras.ts'

/** A node with a private transaction manager. */
export interface PrivateMember {
  readonly node: NodeProcess
  /** Its key at its manager. */
  readonly key: string
  readonly make: 'besu' | 'quoin'
}

/** The chain id of the network. */
export const privateChainId = 1337n

const apis = 'ADMIN,EEA,ETH,NET,PRIV,WEB3'

/** Every number is a block of ports. */
const portsPerSeat = 10

interface Plan {
  readonly make: PrivateMember['make']
  readonly manager: 'tessera' | 'quoin' | 'inside'
}

/** Every way to have a manager: Besu with Tessera and with ours, Quoin with its own and with Tessera. */
const plans: readonly Plan[] = [
  { make: 'besu', manager: 'tessera' },
  { make: 'quoin', manager: 'inside' },
  { make: 'besu', manager: 'quoin' },
  { make: 'quoin', manager: 'tessera' },
]

/** A member, how to start it, and the address of its manager for others. */
interface Prepared {
  readonly member: PrivateMember
  readonly manager: NodeProcess | undefined
  readonly peerUrl: string
  start(): void
}

/** Does something with a QBFT network of four validators that send private transactions, and ends it. */
export async function withPrivateNetwork(
  { folder, peersDir, basePort }: InteropTerms,
  options: readonly string[],
  action: (members: readonly PrivateMember[]) => Promise<void>,
): Promise<void> {
  const seats = plans.map(({ make, manager }, i) => createSeat(folder, `${make}-${manager}`, basePort, i))
  const genesisFile = join(folder, 'genesis.json')
  const qbft = { blockperiodseconds: 1, epochlength: 30_000, requesttimeoutseconds: 4 }
  const validators = seats.map(({ key, address }) => ({ key: fromHex(`0x${key}`), address: hexToAddress(address) }))
  const genesis = bftGenesis(qbftCodec, validators, { chainId: Number(privateChainId), qbft })
  writeFileSync(genesisFile, JSON.stringify({ ...genesis, gasLimit: '0x1fffffffffffff' }))
  const enodes = seats.map(({ enode }) => enode)

  const tesseraFolder = join(folder, 'tesseras')
  await withTesseras(peersDir, tesseraFolder, 2, basePort + plans.length * portsPerSeat, async (tesseras) => {
    const left = [...tesseras]
    const prepared = plans.map((plan, i) => {
      const seat = seats[i]!
      const common = [`--bootnodes=${enodes.filter((one) => one !== seat.enode)}`, '--privacy-enabled', ...options]
      const create = () =>
        plan.make === 'besu'
          ? createBesuProcess({ seat, peersDir, genesisFile, apis })
          : createQuoinProcess({ ...seat, genesisFile, apis })
      return prepare({ plan, seat, node: create(), common, tessera: left, first: tesseras[0]! })
    })
    const managers = prepared.flatMap(({ manager }) => manager ?? [])
    const nodes = prepared.map(({ member }) => member.node)
    await stopAll([...nodes, ...managers], async () => {
      // Besu takes long to start: rounds of consensus that fail meanwhile make the next ones longer.
      const besus = prepared.filter(({ member }) => member.make === 'besu')
      for (const { start } of besus) start()
      for (const { member } of besus)
        await eventually(`${member.node.name} answers`, () => member.node.call('eth_blockNumber'))
      for (const { member, start } of prepared) if (member.make === 'quoin') start()
      await reach(nodes, 2)
      await meet(prepared)
      await action(prepared.map(({ member }) => member))
    })
  })
}

interface Preparing {
  readonly plan: Plan
  readonly seat: Seat
  readonly node: NodeProcess
  readonly common: readonly string[]
  /** Those that no node has yet. */
  readonly tessera: Tessera[]
  readonly first: Tessera
}

function prepare({ plan, seat, node, common, tessera, first }: Preparing): Prepared {
  const { make } = plan
  const [nodePort, peerPort] = [seat.httpPort + 5, seat.httpPort + 6]
  const external = (url: string, key: string) => {
    const file = join(seat.folder, 'party.pub')
    writeFileSync(file, key)
    return [`--privacy-url=${url}`, `--privacy-public-key-file=${file}`]
  }
  if (plan.manager === 'tessera') {
    const { nodeUrl, peerUrl, key } = tessera.shift()!
    const start = () => node.start(...common, ...external(nodeUrl, key))
    return { member: { node, key, make }, manager: undefined, peerUrl, start }
  }
  const own = generateKeyPair()
  const keyFile = join(seat.folder, 'manager', 'privacy.key')
  writeKeyFiles(keyFile, own, plainKeyText(own, 'tessera'))
  const peerUrl = `http://127.0.0.1:${peerPort}/`
  const member = { node, key: own.name, make }
  if (plan.manager === 'inside') {
    const inside = [`--privacy-manager-key-file=${keyFile}`, `--privacy-manager-peer-port=${peerPort}`]
    const start = () => node.start(...common, ...inside, `--privacy-manager-peers=${first.peerUrl}`)
    return { member, manager: undefined, peerUrl, start }
  }
  const manager = createManagerProcess({ folder: join(seat.folder, 'manager'), nodePort, peerPort })
  const start = () => {
    manager.start(`--peers=${first.peerUrl}`)
    node.start(...common, ...external(`http://127.0.0.1:${nodePort}`, own.name))
  }
  return { member, manager, peerUrl, start }
}

/** Waits until every manager knows the keys of all. */
async function meet(prepared: readonly Prepared[]): Promise<void> {
  const keysAt = async (url: string) => {
    const { keys } = (await (await fetch(new URL('/partyinfo', url))).json()) as { keys: { key: string }[] }
    return keys.map(({ key }) => key)
  }
  await eventually('all managers know each other', async () => {
    const known = await Promise.all(prepared.map(({ peerUrl }) => keysAt(peerUrl)))
    return known.every((keys) => prepared.every(({ member }) => keys.includes(member.key)))
  })
}
