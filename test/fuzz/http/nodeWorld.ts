import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../../bench/rpc/client.ts'
import { loadNetwork } from '../../../src/chainData/network.ts'
import { openReadOnly } from '../../../src/node/readers/readChain.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { createdAddress } from '../../../src/types/createdAddress.ts'
import { encodeTx } from '../../../src/types/encodeTx.ts'
import type { Tx } from '../../../src/types/transaction.ts'
import { createNodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import { eventually } from '../../interop/rpcNode.ts'
import { freePort } from '../../support/freePort.ts'
import { faultsInLog } from '../../support/logFaults.ts'
import { removeFolder } from '../../support/testChain.ts'
import { tlsFile } from '../../support/tlsFixture.ts'
import {
  createCounter,
  createReference,
  creation,
  donation,
  type HttpWorld,
  isEncrypted,
  type PortKind,
  receiver,
  speaksWs,
} from './httpWorld.ts'

const [certificate, key] = [tlsFile('server.crt'), tlsFile('server.key')]
const httpTls = [
  '--rpc-http-tls-enabled',
  `--rpc-http-tls-certificate-file=${certificate}`,
  `--rpc-http-tls-key-file=${key}`,
]
const wsTls = ['--rpc-ws-ssl-enabled', `--rpc-ws-ssl-cert-file=${certificate}`, `--rpc-ws-ssl-key-file=${key}`]

/** A node in a process of its own, whose servers have a thread of their own. */
export async function openNodeWorld(kind: PortKind): Promise<HttpWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-http-world-'))
  const [data, logFile] = [join(folder, 'data'), join(folder, 'node.log')]
  mkdirSync(data)
  const [httpPort, wsPort, p2pPort] = [await freePort(), await freePort(), await freePort()]
  const isWebSocket = speaksWs(kind)
  const isSecure = isEncrypted(kind)
  const node = createNodeProcess({
    name: 'node',
    httpPort,
    logFile,
    command: process.execPath,
    args: [
      quoinProgram,
      `--data-path=${data}`,
      `--p2p-port=${p2pPort}`,
      `--rpc-http-port=${httpPort}`,
      '--rpc-ws-enabled',
      `--rpc-ws-port=${wsPort}`,
      '--rpc-servers=1',
      '--min-gas-price=0',
      ...(isSecure ? (isWebSocket ? wsTls : httpTls) : []),
    ],
  })
  node.start()
  const { call } = createClient(`${kind === 'https' ? 'https' : 'http'}://127.0.0.1:${httpPort}`)
  await eventually('the node answers', () => call<string>('eth_chainId'))

  const network = loadNetwork(undefined, undefined)
  const chain = openReadOnly(data, network)
  let nonce = 0n
  let known = 0
  const faults: string[] = []
  /** The node answers when the transaction is in a block; who asks it from then on sees that block. */
  async function mine(tx: Tx): Promise<void> {
    await call('eth_sendRawTransaction', toHex(encodeTx(tx)))
    known = Number(await call<string>('eth_blockNumber'))
  }
  const created = creation(nonce++)
  await mine(created)
  let mining: Promise<void> = Promise.resolve()
  return {
    port: isWebSocket ? wsPort : httpPort,
    isSecure,
    isWebSocket,
    faults: () => [...faults, ...faultsInLog(logFile)],
    contract: toHex(createdAddress(created)!),
    receiver: toHex(receiver),
    height() {
      const view = chain.openView()
      const { number } = view.head.header
      view.close()
      return Number(number)
    },
    knownHeight: () => known,
    makeBlock() {
      const tx = donation(nonce++)
      mining = mining.then(() => mine(tx)).catch((error: Error) => void faults.push(error.message))
    },
    ...createCounter(),
    answer: createReference(chain.openView, network.networkId, isWebSocket),
    async close() {
      await mining
      await chain.store.close()
      await node.stop()
      removeFolder(folder)
    },
  }
}
