import { join } from 'node:path'
import { freePort } from '../support/freePort.ts'
import { createNodeProcess, type NodeProcess } from './nodeProcess.ts'
import { createPackages } from './packages.ts'

/**
 * Alto of Pimlico, and the contracts of ERC-4337 in the versions that networks have. Safe mode of Alto 0.0.19 and 0.0.20 fails on any
 * node: it looks for a result that its contract for simulations no longer gives.
 */
export const bundlerPackages = createPackages('bundler', [
  '@pimlico/alto@0.0.18',
  'viem@2.57.1',
  'entrypoint07@npm:@account-abstraction/contracts@0.7.0',
  'entrypoint08@npm:@account-abstraction/contracts@0.8.0',
])

const modules = join(bundlerPackages.folder, 'node_modules')

/** File of a compiled contract of a version, such as `07`. */
export const artifactFile = (version: string, name: string) =>
  join(modules, `entrypoint${version}/artifacts/${name}.json`)

export interface AltoOptions {
  readonly folder: string
  readonly nodeUrl: string
  readonly entryPoints: readonly string[]
  /** Private keys of the accounts that deploy what it needs, and that send bundles. */
  readonly keys: readonly [utility: string, executor: string]
}

/** A bundler in safe mode in front of a node. */
export async function createAlto({ folder, nodeUrl, entryPoints, keys }: AltoOptions): Promise<NodeProcess> {
  const httpPort = await freePort()
  return createNodeProcess({
    name: 'alto',
    httpPort,
    logFile: join(folder, 'alto.log'),
    command: process.execPath,
    args: [
      join(modules, '@pimlico/alto/esm/cli/alto.js'),
      `--port=${httpPort}`,
      `--rpc-url=${nodeUrl}`,
      `--entrypoints=${entryPoints.join(',')}`,
      `--utility-private-key=${keys[0]}`,
      `--executor-private-keys=${keys[1]}`,
      '--safe-mode=true',
      '--deploy-simulations-contract=true',
      '--min-executor-balance=0',
      '--log-level=info',
    ],
  })
}
