import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { type Address, concatBytes, emptyBytes } from '../../src/primitives/bytes.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { encodeRlp, scalar } from '../../src/primitives/rlp.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { writeCliqueGenesis } from './cliqueGenesis.ts'
import { createGethProcess } from './gethProcess.ts'
import type { Interop, InteropTerms } from './interop.ts'
import { createQuoinProcess } from './quoinProcess.ts'
import { advance, agree, eventually, heightOf, type RpcNode, reach, sameBlocks } from './rpcNode.ts'
import { createSeat } from './seat.ts'
import { stopAll } from './stopAll.ts'

/** Blocks before another node joins: it takes over the state of one that is 64 below the head. */
const grown = 100
const contracts = 8
const slotsEach = 400
const accounts = 200
const gasPrice = 10_000_000_000n

const hex = (n: number) => `0x${n.toString(16)}`
const richKey = fromHex(devAccounts[0].privateKey)
const rich = fromHex(devAccounts[0].address)

/** Deploys a contract that has written so many slots, and whose code is one byte. */
function writerOf(slots: number, code: number): Uint8Array {
  const [high, low] = [slots >>> 8, slots & 0xff]
  const loop = [0x61, high, low, 0x5b, 0x80, 0x80, 0x55, 0x60, 0x01, 0x90, 0x03, 0x80, 0x60, 0x03, 0x57]
  return Uint8Array.from([...loop, 0x60, code, 0x60, 0x00, 0x53, 0x60, 0x01, 0x60, 0x00, 0xf3])
}

const contractAt = (nonce: bigint) => toHex(keccak256(encodeRlp([rich, scalar(nonce)])).subarray(12))
const accountAt = (n: number) =>
  keccak256(concatBytes(rich, Uint8Array.of(n >>> 8, n))).slice(12) as Uint8Array as Address

/** Contracts with slots, and accounts. */
async function fill(node: RpcNode): Promise<void> {
  let nonce = 0n
  const send = (fields: { to: Address | undefined; data: Uint8Array; gasLimit: bigint }) => {
    const tx = signTx(
      { type: 0, chainId: 1337n, nonce: nonce++, value: fields.to ? 1n : 0n, gasPrice, ...fields },
      richKey,
    )
    return node.call<string>('eth_sendRawTransaction', toHex(encodeTx(tx)))
  }
  for (let n = 0; n < contracts; n++)
    await send({ to: undefined, data: writerOf(slotsEach + n, n), gasLimit: 12_000_000n })
  let last = ''
  for (let n = 0; n < accounts; n++) last = await send({ to: accountAt(n), data: emptyBytes, gasLimit: 21_000n })
  await eventually('the last transaction is in a block', () => node.call('eth_getTransactionReceipt', last))
}

/** Accounts, slots, code and proofs as of a block are the same on all nodes. */
async function sameState({ checks }: InteropTerms, nodes: readonly RpcNode[], block: string): Promise<void> {
  for (const n of [0, 1, accounts - 1]) await agree(checks, nodes, 'eth_getBalance', toHex(accountAt(n)), block)
  for (const n of [0, contracts - 1]) {
    const address = contractAt(BigInt(n))
    const code = await agree(checks, nodes, 'eth_getCode', address, block)
    checks.equal('the contract has its code', code, `0x${n.toString(16).padStart(2, '0')}`)
    for (const slot of [1, 77, slotsEach + n])
      checks.equal(
        'the contract has its slots',
        Number(await agree(checks, nodes, 'eth_getStorageAt', address, hex(slot), block)),
        slot,
      )
  }
}

async function run(terms: InteropTerms): Promise<void> {
  const { checks, folder, peersDir, basePort } = terms
  const seats = ['quoin', 'geth'].map((name, i) => createSeat(folder, name, basePort, i))
  const [quoinSeat, gethSeat] = seats as [(typeof seats)[0], (typeof seats)[0]]
  const genesisFile = writeCliqueGenesis(join(folder, 'genesis.json'), [quoinSeat.address], 'both')
  const quoin = createQuoinProcess({ ...quoinSeat, genesisFile })
  const geth = createGethProcess({ seat: gethSeat, peersDir, genesisFile, signs: false })
  await stopAll([quoin, geth], async () => {
    quoin.start('--discovery-enabled=false', '--snapsync-server-enabled')
    await reach([quoin], 1)
    await checks.step('contracts and accounts', () => fill(quoin))
    await reach([quoin], grown)
    geth.start('--nodiscover', '--syncmode=snap', '--gcmode=full')
    await eventually('geth takes a peer', async () => {
      await geth.call('admin_addPeer', quoinSeat.enode)
      return true
    })
    await checks.step('geth comes to the head', () => reach([geth], grown))
    await checks.step('it has taken over the state', async () => {
      for (const line of ['Enabled snap sync', 'Snap sync complete'])
        await eventually(`geth says "${line}"`, async () =>
          readFileSync(join(gethSeat.folder, 'geth.log'), 'utf8').includes(line),
        )
    })
    await checks.step('and goes on', () => advance([quoin, geth], 5))
    const height = await heightOf(geth)
    await sameBlocks(checks, [quoin, geth], 0, height)
    await sameState(terms, [quoin, geth], hex(height))
  })
}

/** Nodes of others take over the state from Quoin. */
export const snap: Interop = {
  name: 'snap',
  doc: 'A geth joins a Clique network by snap synchronisation, with a Quoin as its only peer.',
  needs: ['geth'],
  run,
}
