import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { type Enode, parseEnode } from '../../src/net/enode.ts'
import { concatBytes, padLeft } from '../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { encodeRlp } from '../../src/primitives/rlp.ts'
import { toWord } from '../../src/primitives/u256.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import type { UnsignedTx } from '../../src/types/transaction.ts'
import type { RpcNode } from './rpcNode.ts'
import type { Seat } from './seat.ts'

const chainId = 2410n
export const accountsContract = '0x0000000000000000000000000000000000008888'
export const nodesContracts = {
  1: '0x0000000000000000000000000000000000009100',
  2: '0x0000000000000000000000000000000000009200',
} as const

/** The rules of the contracts by number. */
export const accountModes = { all: 0n, listed: 2n, gasPrice: 5n, callSize: 8n }
export const nodeModes = { all: 0n, listed: 2n }

export type InterfaceVersion = keyof typeof nodesContracts

/** Writes the genesis file of a QBFT network that has the contracts of the recorded flows. */
export function writeContractGenesis(suite: string, file: string, validators: readonly Seat[]): string {
  const genesis = JSON.parse(readFileSync(join(suite, 'genesis/fast.json'), 'utf8')) as Record<string, unknown>
  const addresses = validators.map(({ address }) => fromHex(address)).sort(Buffer.compare)
  const none = new Uint8Array(0)
  const extraData = toHex(encodeRlp([new Uint8Array(32), addresses, [], none, []]))
  writeFileSync(file, JSON.stringify({ ...genesis, extraData }))
  return file
}

/** An account that sends transactions, one at a time. */
export interface Sender {
  readonly address: string
  /** Sends a transaction to a node; returns its hash, or throws what the node says. */
  send(node: RpcNode, to: string, fields?: { data?: Uint8Array; maxFee?: bigint }): Promise<string>
}

/** One of the development accounts. */
export function createSender(account: 0 | 1): Sender {
  const { privateKey, address } = devAccounts[account]
  let nonce = 0n
  return {
    address,
    async send(node, to, { data = new Uint8Array(0), maxFee } = {}) {
      const common = { nonce, gasLimit: 400_000n, to: hexToAddress(to), value: 0n, data, chainId }
      const tx: UnsignedTx =
        maxFee === undefined
          ? { type: 0, gasPrice: 0n, ...common }
          : { type: 2, maxFee, maxPriorityFee: 0n, accessList: [], ...common }
      const hash = await node.call<string>('eth_sendRawTransaction', toHex(encodeTx(signTx(tx, fromHex(privateKey)))))
      nonce++
      return hash
    },
  }
}

const flag = (on: boolean) => toWord(on ? 1n : 0n)

/** Calldata that switches the rule for accounts. */
export const setAccountMode = (mode: bigint, word = 0n) => concatBytes(fromHex('1ab06ee5'), toWord(mode), toWord(word))

/** Calldata that puts an account on the list, or takes it off. */
export const listAccount = (address: string, on: boolean) =>
  concatBytes(fromHex('96f35b40'), padLeft(fromHex(address), 32), flag(on))

/** Calldata that switches the rule for nodes. */
export const setNodeMode = (mode: bigint) => concatBytes(fromHex('60fe47b1'), toWord(mode))

/** Calldata that puts a node on the list, or takes it off. */
export function listNode(version: InterfaceVersion, { enode }: Seat, on: boolean): Uint8Array {
  const node = parseEnode(enode)
  return version === 1 ? listFirst(node, on) : listSecond(node, on)
}

function listFirst({ id, ip, tcpPort }: Enode, on: boolean): Uint8Array {
  const host = concatBytes(new Uint8Array(10), Uint8Array.of(0xff, 0xff), Uint8Array.from(ip.split('.'), Number))
  return concatBytes(fromHex('9b5efa97'), id, host, new Uint8Array(16), toWord(BigInt(tcpPort)), flag(on))
}

function listSecond({ id, ip, tcpPort }: Enode, on: boolean): Uint8Array {
  const text = (value: string) => {
    const bytes = new TextEncoder().encode(value)
    return concatBytes(toWord(BigInt(bytes.length)), bytes, new Uint8Array(-bytes.length & 31))
  }
  const name = text(toHex(id).slice(2))
  const [head, port] = [4n * 32n, toWord(BigInt(tcpPort))]
  const second = toWord(head + BigInt(name.length))
  return concatBytes(fromHex('06abcf6a'), toWord(head), second, port, flag(on), name, text(ip))
}
