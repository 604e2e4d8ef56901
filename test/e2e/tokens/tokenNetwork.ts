import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { nodeFolder, openNetworkPlan } from '../../../src/cli/network/networkPlan.ts'
import { fromHex } from '../../../src/primitives/hex.ts'
import { createNodeProcess, type NodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import { freePort } from '../../support/freePort.ts'
import { createSoftTokens, type SoftTokens } from '../../support/softToken.ts'

/** Label of the token of each validator, and of its key there. */
export const labels = { token: 'validators', key: 'validator' } as const

/** Where the key of a validator is; behind a key server it is in a token of that. */
export type Holder = 'file' | 'token' | 'key server'

export interface HeldValidator {
  readonly process: NodeProcess
  readonly holder: Holder
  readonly address: string
  readonly privateKey: Uint8Array
  readonly url: string
  readonly wsPort: number
  readonly dataPath: string
  readonly logFile: string
  /** Undefined for one whose key is in a file. */
  readonly tokens: SoftTokens | undefined
  /** The key server in front of its token, if it has one. */
  readonly server: (NodeProcess & { readonly port: number; readonly logFile: string }) | undefined
}

export interface TokenNetwork {
  readonly nodes: readonly HeldValidator[]
  start(): void
  close(): Promise<void>
}

const optionsOf = (tokens: SoftTokens) => [
  `--pkcs11-library=${tokens.library}`,
  `--pkcs11-token=${labels.token}`,
  `--pkcs11-pin-file=${tokens.pinFile}`,
  `--pkcs11-key-label=${labels.key}`,
]

/** The key of a validator, moved from its data path to a token of its own. */
function moveKey(folder: string, keyFile: string, privateKey: Uint8Array): SoftTokens {
  mkdirSync(folder)
  const tokens = createSoftTokens(folder)
  tokens.make(labels.token)
  tokens.put(labels.token, labels.key, privateKey)
  rmSync(keyFile)
  return tokens
}

interface Places {
  /** Of the network. */
  readonly dir: string
  /** Of logs, tokens and records. */
  readonly beside: string
}

/** A key server with a token, not started yet. */
async function createServer({ beside }: Places, tokens: SoftTokens) {
  const port = await freePort()
  const logFile = join(beside, 'keys.log')
  const process_ = createNodeProcess({
    name: 'key server',
    httpPort: port,
    logFile,
    command: process.execPath,
    args: [quoinProgram, 'key-server', ...optionsOf(tokens), `--record=${join(beside, 'signed')}`, `--port=${port}`],
    env: { ...process.env, ...tokens.env },
  })
  return { ...process_, port, logFile }
}

async function createValidator(places: Places, i: number, address: string, holder: Holder): Promise<HeldValidator> {
  const { dir, beside } = places
  const dataPath = nodeFolder(dir, i)
  const keyFile = join(dataPath, 'key')
  const privateKey = fromHex(readFileSync(keyFile, 'utf8').trim())
  const tokens = holder === 'file' ? undefined : moveKey(join(beside, `token${i}`), keyFile, privateKey)
  const server = tokens && holder === 'key server' ? await createServer(places, tokens) : undefined
  const ofToken = tokens ? ['--security-module=pkcs11', ...optionsOf(tokens)] : []
  const ofKey = server ? ['--security-module=key-server', `--key-server-url=http://127.0.0.1:${server.port}`] : ofToken
  const [http, ws] = [await freePort(), await freePort()]
  const logFile = join(beside, `node${i}.log`)
  return {
    process: createNodeProcess({
      name: `node${i} (${holder})`,
      httpPort: http,
      logFile,
      command: process.execPath,
      args: [
        quoinProgram,
        `--genesis-file=${join(dir, 'genesis.json')}`,
        `--data-path=${dataPath}`,
        '--p2p-interface=127.0.0.1',
        `--p2p-port=${p2pPortOf(dir, i)}`,
        '--rpc-http-enabled',
        `--rpc-http-port=${http}`,
        '--rpc-ws-enabled',
        `--rpc-ws-port=${ws}`,
        '--min-gas-price=0',
        ...ofKey,
      ],
      env: { ...process.env, ...tokens?.env },
    }),
    holder,
    address: address.toLowerCase(),
    privateKey,
    url: `http://127.0.0.1:${http}`,
    wsPort: ws,
    dataPath,
    logFile,
    tokens,
    server,
  }
}

function p2pPortOf(dir: string, i: number): string {
  const { nodes } = JSON.parse(readFileSync(join(dir, 'network.json'), 'utf8')) as { nodes: { enode: string }[] }
  return /:(\d+)$/.exec(nodes[i]!.enode)![1]!
}

/** Validators with a block every `period` seconds, whose keys are held in these ways; none is started. */
export async function openTokenNetwork(
  folder: string,
  period: number,
  holders: readonly Holder[],
): Promise<TokenNetwork> {
  const places = { dir: join(folder, 'net'), beside: join(folder, 'beside') }
  mkdirSync(places.beside, { recursive: true })
  const terms = { validators: holders.length, consensus: 'qbft', period, basePort: await freePort() } as const
  const plan = openNetworkPlan(places.dir, terms)
  const nodes: HeldValidator[] = []
  for (const [i, holder] of holders.entries())
    nodes.push(await createValidator(places, i, plan.nodes[i]!.address, holder))
  return {
    nodes,
    start() {
      for (const { process, server } of nodes) {
        server?.start('--new-record=0')
        process.start()
      }
    },
    async close() {
      for (const { process, server } of nodes) {
        await process.stop()
        await server?.stop()
      }
    },
  }
}
