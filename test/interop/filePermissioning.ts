import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { createBesuProcess } from './besuProcess.ts'
import { writeCliqueGenesis } from './cliqueGenesis.ts'
import type { InteropTerms } from './interop.ts'
import type { NodeProcess } from './nodeProcess.ts'
import { createQuoinProcess } from './quoinProcess.ts'
import { advance, eventually, guest, type RpcNode, reach } from './rpcNode.ts'
import { createSeat, type Seat } from './seat.ts'
import { stopAll } from './stopAll.ts'

/** Blocks that are waited for where nothing must happen. */
const aWhile = 4

interface Member extends NodeProcess {
  readonly seat: Seat
}

const [native, foreigner] = devAccounts
const addressOf = ({ address }: { readonly address: string }) => `0x${address}`

/** A transfer of the account that the lists do not have at first. */
function foreignTransfer(nonce: bigint): string {
  const body = { to: hexToAddress(guest), value: 1n, data: new Uint8Array(0), gasLimit: 21_000n, gasPrice: 10n ** 10n }
  return toHex(encodeTx(signTx({ type: 0, chainId: 1337n, nonce, ...body }, fromHex(foreigner.privateKey))))
}

const peersOf = async (node: RpcNode) => Number(await node.call<string>('net_peerCount'))
const nonceOf = (node: RpcNode) => node.call<string>('eth_getTransactionCount', addressOf(foreigner), 'latest')
const refusalOf = (node: RpcNode, raw: string) =>
  node.call('eth_sendRawTransaction', raw).then(
    () => 'accepted',
    (error: Error) => error.message,
  )

function createMembers({ folder: parent, peersDir, basePort }: InteropTerms) {
  const folder = join(parent, 'file')
  const seats = ['quoin', 'besu', 'stranger'].map((name, i) => createSeat(folder, name, basePort, i))
  const [ofQuoin, ofBesu, ofStranger] = seats as [Seat, Seat, Seat]
  const signers = [ofQuoin.address, ofBesu.address]
  const genesisFile = writeCliqueGenesis(join(folder, 'genesis.json'), signers, 'both')
  for (const seat of [ofQuoin, ofBesu])
    writeFileSync(
      join(seat.folder, 'permissions_config.toml'),
      `accounts-allowlist=["${addressOf(native)}"]\nnodes-allowlist=["${ofQuoin.enode}","${ofBesu.enode}"]\n`,
    )
  const quoin: Member = { ...createQuoinProcess({ ...ofQuoin, genesisFile }), seat: ofQuoin }
  const besu: Member = { ...createBesuProcess({ seat: ofBesu, peersDir, genesisFile }), seat: ofBesu }
  const stranger: Member = { ...createQuoinProcess({ ...ofStranger, genesisFile }), seat: ofStranger }
  return { quoin, besu, stranger }
}

/** Besu and Quoin with allowlists in files: who is refused, let in and dropped, without a restart. */
export async function testFiles(terms: InteropTerms): Promise<void> {
  const { checks } = terms
  const { quoin, besu, stranger } = createMembers(terms)
  const members = [quoin, besu]
  const alone = '--discovery-enabled=false'
  const listed = ['--permissions-nodes-config-file-enabled', '--permissions-accounts-config-file-enabled']
  const addPeer = (node: RpcNode, { seat }: Member) =>
    eventually(`${node.name} takes ${seat.name} as a peer`, async () => {
      await node.call('admin_addPeer', seat.enode)
      return true
    })
  /** Waits until each member has this many peers, and says how long that took. */
  async function expectPeers(what: string, count: number): Promise<void> {
    const start = performance.now()
    await checks.step(what, async () => {
      for (const node of members)
        await eventually(`${node.name} has ${count} peers`, async () => (await peersOf(node)) === count)
    })
    checks.note(`after ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }

  await stopAll([...members, stranger], async () => {
    for (const node of members) node.start(alone, ...listed)
    stranger.start(alone)
    await addPeer(quoin, besu)
    await checks.step('the listed nodes make blocks together', () => reach(members, aWhile))

    for (const member of members) await addPeer(stranger, member)
    await advance(members, aWhile)
    for (const node of [...members, stranger])
      checks.equal(`peers of ${node.name} while a third node calls`, await peersOf(node), node === stranger ? 0 : 1)
    for (const node of members)
      checks.equal(
        `${node.name} refuses a foreign account`,
        (await refusalOf(node, foreignTransfer(0n))).includes('Sender account not authorized to send transactions'),
        true,
      )

    for (const node of members) await node.call('perm_addNodesToAllowlist', [stranger.seat.enode])
    for (const node of members) await addPeer(node, stranger)
    await expectPeers('the third node is let in when the lists have it', 2)
    await checks.step('it follows the chain', () => advance([...members, stranger], aWhile))

    checks.equal(
      'the third node, which has no list, takes the transfer',
      await refusalOf(stranger, foreignTransfer(0n)),
      'accepted',
    )
    await advance(members, aWhile)
    for (const node of members) checks.equal(`${node.name} does not take it from there`, await nonceOf(node), '0x0')

    for (const node of members) await node.call('perm_addAccountsToAllowlist', [addressOf(foreigner)])
    for (const [i, node] of members.entries()) {
      checks.equal(
        `${node.name} accepts it when its list has the account`,
        await refusalOf(node, foreignTransfer(BigInt(i))),
        'accepted',
      )
      await checks.step('the transfer is in all chains', async () => {
        for (const one of [...members, stranger])
          await eventually(`${one.name} has it`, async () => Number(await nonceOf(one)) > i)
      })
    }

    for (const node of members) await node.call('perm_removeAccountsFromAllowlist', [addressOf(foreigner)])
    for (const node of members)
      checks.equal(
        `${node.name} refuses the account again`,
        (await refusalOf(node, foreignTransfer(2n))).includes('Sender account not authorized to send transactions'),
        true,
      )
    for (const node of members) await node.call('perm_removeNodesFromAllowlist', [stranger.seat.enode])
    await expectPeers('the third node is dropped when the lists lose it', 1)
    await checks.step('the others go on', () => advance(members, aWhile))
  })
}
