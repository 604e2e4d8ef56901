import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeFolder, openNetworkPlan } from '../../../src/cli/network/networkPlan.ts'
import { fromHex, hexToAddress, toHex } from '../../../src/primitives/hex.ts'
import { createdAddress } from '../../../src/types/createdAddress.ts'
import { encodeTx, txHash } from '../../../src/types/encodeTx.ts'
import { signTx } from '../../../src/types/signTx.ts'
import { freePort } from '../../support/freePort.ts'
import { createNodeProcess, type NodeProcess } from '../nodeProcess.ts'
import { quoinProgram } from '../quoinProcess.ts'
import { eventually, heightOf } from '../rpcNode.ts'
import { stopAll } from '../stopAll.ts'
import { deployer } from './contracts.ts'
import { modules } from './samplePackages.ts'

/** Hardhat refuses to verify on chains 1337 and 31337, which it takes for its own. */
export const chainId = 4242

/** A validator that keeps sources, and somebody who deploys contracts there. */
export interface SourceChain {
  readonly url: string
  /** Where the APIs of sources are. */
  readonly sourcesUrl: string
  call: NodeProcess['call']
  /** Sends code, as digits, and returns the address of the contract at once. */
  create(code: string): Promise<string>
  send(to: string, data: string): Promise<void>
  /** Waits until all of that has succeeded. */
  settle(): Promise<void>
}

const options = { validators: 1, consensus: 'qbft', period: 1, fork: 'prague', privacy: false } as const

/** Writes a network of one validator; a network of `quoin network` has chain id 1337. */
function writeNetwork(folder: string, basePort: number): { readonly genesis: string; readonly data: string } {
  mkdirSync(folder, { recursive: true })
  const dir = join(folder, 'network')
  openNetworkPlan(dir, { ...options, basePort })
  const genesis = join(dir, 'genesis.json')
  const file = JSON.parse(readFileSync(genesis, 'utf8')) as { config: object }
  writeFileSync(genesis, JSON.stringify({ ...file, config: { ...file.config, chainId } }))
  return { genesis, data: nodeFolder(dir, 0) }
}

/** Does something with a validator of a network of its own. */
export async function withSourceChain(folder: string, action: (chain: SourceChain) => Promise<void>): Promise<void> {
  const [httpPort, sourcesPort, p2pPort] = [await freePort(), await freePort(), await freePort()]
  const { genesis, data } = writeNetwork(folder, httpPort)
  const node = createNodeProcess({
    ...{ name: 'sources', httpPort, logFile: join(folder, 'node.log'), command: process.execPath },
    args: [
      ...[quoinProgram, `--genesis-file=${genesis}`, `--data-path=${data}`],
      ...['--p2p-interface=127.0.0.1', `--p2p-port=${p2pPort}`],
      ...['--rpc-http-enabled', `--rpc-http-port=${httpPort}`, '--rpc-http-api=ETH,NET,WEB3,DEBUG'],
      ...['--explorer-enabled', `--explorer-http-port=${sourcesPort}`],
      ...['--explorer-sources-enabled', `--explorer-sources-compilers=${modules}`],
    ],
  })
  await stopAll([node], async () => {
    node.start()
    await eventually('the node answers', async () => (await heightOf(node)) >= 0)
    await action(createSourceChain(node, `http://127.0.0.1:${httpPort}`, `http://127.0.0.1:${sourcesPort}`))
  })
}

function createSourceChain(node: NodeProcess, url: string, sourcesUrl: string): SourceChain {
  const { call } = node
  let nonce = 0n
  const open: string[] = []

  async function submit(to: string | undefined, data: string) {
    const fields = { to: to === undefined ? undefined : hexToAddress(to), data: fromHex(data), value: 0n }
    const body = {
      type: 0,
      chainId: BigInt(chainId),
      nonce: nonce++,
      gasPrice: 10n ** 9n,
      gasLimit: 5_000_000n,
    } as const
    const tx = signTx({ ...body, ...fields }, fromHex(deployer.key))
    await call('eth_sendRawTransaction', toHex(encodeTx(tx)))
    open.push(toHex(txHash(tx)))
    return tx
  }

  return {
    url,
    sourcesUrl,
    call,
    create: async (code) => toHex(createdAddress(await submit(undefined, code))!),
    async send(to, data) {
      await submit(to, data)
    },
    async settle() {
      for (const hash of open.splice(0)) {
        const { status } = await eventually(hash, () =>
          call<{ status: string } | null>('eth_getTransactionReceipt', hash),
        )
        if (status !== '0x1') throw new Error(`transaction ${hash} has failed`)
      }
    },
  }
}
