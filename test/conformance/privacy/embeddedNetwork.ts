import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fromHex, toHex } from '../../../src/primitives/hex.ts'
import { curve } from '../../../src/primitives/secp256k1.ts'
import { createNodeProcess, type NodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import { eventually } from '../../interop/rpcNode.ts'
import type { NetworkPlace, RunningNetwork } from './network.ts'

/** What the program that started the recorded network says about it. */
interface Recorded {
  secret(text: string): string
  enclaveKey(text: string): { readonly priv: string; readonly pub: string }
  genesis(validators: readonly string[]): object
  readonly KINDS: Readonly<Record<string, Kind>>
}

interface Kind {
  readonly validators: readonly string[]
  /** Options of each node beside the usual ones; null where private transactions are disabled. */
  readonly nodes: Readonly<Record<string, readonly string[] | null>>
}

interface Seat {
  readonly name: string
  readonly home: string
  readonly port: number
  readonly enode: string
  /** Public keys of its manager. */
  readonly keys: readonly string[]
  readonly process: NodeProcess
}

const apis = 'ETH,NET,WEB3,ADMIN,TXPOOL,DEBUG,TRACE,QBFT,EEA,PRIV'
const host = '127.0.0.1'

/** Starts a network of this node, whose managers are inside. */
export async function startEmbeddedNetwork({ source, network, folder, port }: NetworkPlace): Promise<RunningNetwork> {
  const recorded = (await import(pathToFileURL(join(source, 'network.mjs')).href)) as Recorded
  const { validators, nodes } = recorded.KINDS[network]!
  writeFileSync(join(folder, 'genesis.json'), JSON.stringify(recorded.genesis(validators)))
  const jwt = network === 'tenants' ? writeTokenKeys(folder) : undefined
  const names = Object.keys(nodes)
  const portOf = (name: string) => port + 10 * names.indexOf(name)
  const enodeOf = (name: string) => {
    const id = toHex(curve.publicKey(fromHex(recorded.secret(`node ${name}`)))).slice(2)
    return `enode://${id}@${host}:${portOf(name) + 2}`
  }
  const managerUrl = (name: string) => `http://${host}:${portOf(name) + 4}/`
  const peersOf = (name: string) => names.filter((other) => other !== name && nodes[other])

  function layNode(name: string): Seat {
    const home = join(folder, name)
    mkdirSync(join(home, 'data'), { recursive: true })
    writeFileSync(join(home, 'data/key'), recorded.secret(`node ${name}`))
    writeFileSync(join(home, 'marker.key'), recorded.secret('marker'))
    const options = nodes[name]
    // The first node of a network with tenants keeps three keys.
    const owners = network === 'tenants' && name === names[0] ? [name, 'tenant 2', 'tenant 3'] : [name]
    const pairs = options ? owners.map(recorded.enclaveKey) : []
    const keyFiles = pairs.map(({ priv }, i) => {
      const file = join(home, `privacy${i}.key`)
      writeFileSync(file, priv, { mode: 0o600 })
      return file
    })
    const at = portOf(name)
    const args = [
      ...[quoinProgram, `--data-path=${home}/data`, `--genesis-file=${folder}/genesis.json`],
      ...[`--p2p-host=${host}`, `--p2p-interface=${host}`, `--p2p-port=${at + 2}`],
      `--bootnodes=${names.filter((other) => other !== name).map(enodeOf)}`,
      ...['--rpc-http-enabled', `--rpc-http-port=${at}`, `--rpc-http-api=${apis}`],
      ...['--rpc-ws-enabled', `--rpc-ws-port=${at + 1}`, `--rpc-ws-api=${apis}`],
      ...['--host-allowlist=*', '--min-gas-price=0'],
      ...(options ? ['--privacy-enabled', `--privacy-manager-key-file=${keyFiles}`] : []),
      ...(options ? [`--privacy-manager-peer-port=${at + 4}`] : []),
      ...(options ? [`--privacy-manager-peers=${peersOf(name).map(managerUrl)}`] : []),
      ...(options ?? []).map((option) => option.replace('{dir}/jwt.pub', `${folder}/jwt.pub`).replace('{dir}', home)),
    ]
    const process_ = { command: process.execPath, args, logFile: join(home, 'log') }
    return {
      ...{ name, home, port: at, enode: enodeOf(name), keys: pairs.map(({ pub }) => pub) },
      process: createNodeProcess({ name, httpPort: at, ...process_ }),
    }
  }

  const seats = names.map(layNode)
  const stop = async () => void (await Promise.all(seats.map((seat) => seat.process.stop())))
  try {
    for (const seat of seats) seat.process.start()
    await Promise.all(seats.map(waitForBlocks))
    const keys = seats.flatMap((seat) => seat.keys)
    const managers = seats.filter((seat) => seat.keys.length > 0)
    await Promise.all(managers.map(({ name }) => waitForKeys(managerUrl(name), keys)))
  } catch (error) {
    await stop()
    throw error
  }
  const list = (scheme: string, offset: number) =>
    seats.map((seat) => `${seat.name}=${scheme}://${host}:${seat.port + offset}`).join()
  const keyList = seats.filter(({ keys }) => keys.length > 0).map(({ name, keys }) => `${name}=${keys[0]}`)
  return {
    args: [
      ...['--network', network, '--nodes', list('http', 0), '--ws', list('ws', 1), '--keys', keyList.join()],
      ...(jwt === undefined ? [] : ['--jwt-key', jwt]),
    ],
    stop,
  }
}

/** Writes the keys of tokens; returns the file of the private one. */
function writeTokenKeys(folder: string): string {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(join(folder, 'jwt.pub'), publicKey.export({ format: 'pem', type: 'spki' }))
  const file = join(folder, 'jwt.key')
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  return file
}

/** Some blocks, or a node that wants a token first. */
function waitForBlocks({ name, process }: Seat): Promise<unknown> {
  return eventually(`${name} has blocks`, async () => {
    try {
      return BigInt(await process.call<string>('eth_blockNumber')) > 2n
    } catch (error) {
      return /Unauthorized/.test(String(error))
    }
  })
}

function waitForKeys(url: string, keys: readonly string[]): Promise<unknown> {
  return eventually(`${url} knows all keys`, async () => {
    const answer = await fetch(new URL('partyinfo', url)).catch(() => undefined)
    const info = (await answer?.json()) as { readonly keys: readonly { readonly key: string }[] } | undefined
    return keys.every((key) => info?.keys.some((one) => one.key === key))
  })
}
