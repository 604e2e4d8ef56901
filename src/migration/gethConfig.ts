import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml'
import { failed } from '../config/fault.ts'

/** What a configuration file of geth (`--config`, `dumpconfig`) says about its node. */
export interface GethConfig {
  readonly file: string
  /** Enode URLs. geth itself takes them from here only since 1.10. */
  readonly staticNodes: readonly string[]
  readonly networkId: bigint | undefined
  /** Socket of the JSON-RPC; undefined means geth.ipc in the data folder. */
  readonly ipcPath: string | undefined
}

const names = ['config.toml', 'geth.toml', 'geth/config.toml']

/** Finds the configuration file of a data folder, in it or beside it. */
export function findGethConfig(folder: string): GethConfig | undefined {
  const places = [...names.map((name) => join(folder, name)), ...names.map((name) => join(dirname(folder), name))]
  for (const file of places) {
    const config = existsSync(file) ? readGethConfig(file, folder) : undefined
    if (config) return config
  }
  return undefined
}

/** Reads a configuration file; undefined if it is another program's, or of another data folder. */
function readGethConfig(file: string, folder: string): GethConfig | undefined {
  const values = parseFile(file)
  const [node, eth] = [tableOf(values['Node']), tableOf(values['Eth'])]
  if (!values['Node'] && !values['Eth']) return undefined
  const dataDir = textOf(node['DataDir'])
  if (dataDir !== undefined && resolve(dirname(file), dataDir) !== resolve(folder)) return undefined
  const ipcPath = textOf(node['IPCPath'])
  const nodes = tableOf(node['P2P'])['StaticNodes']
  const id = eth['NetworkId']
  return {
    file,
    staticNodes: Array.isArray(nodes) ? nodes.map(String) : [],
    networkId: typeof id === 'number' || typeof id === 'bigint' ? BigInt(id) : undefined,
    // A name without a folder is in the data folder.
    ipcPath: ipcPath === undefined || isAbsolute(ipcPath) ? ipcPath : join(folder, ipcPath),
  }
}

function parseFile(file: string): TomlTable {
  try {
    return parse(readFileSync(file, 'utf8'), { integersAsBigInt: 'asNeeded' })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw failed(`${file} is not TOML (line ${error.line}, column ${error.column})`, error)
  }
}

function tableOf(value: TomlValue | undefined): TomlTable {
  const isTable = typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
  return isTable ? value : {}
}

function textOf(value: TomlValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
