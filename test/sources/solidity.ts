import { createRequire } from 'node:module'
import { fromHex, hexToAddress } from '../../src/primitives/hex.ts'
import { parseVersion, versionText } from '../../src/sources/compiling/solcVersion.ts'
import { type LoadedCompiler, loadSoljson } from '../../src/sources/compiling/soljson.ts'
import { type DevNode, eventually, richAddress, signed } from '../support/devNode.ts'

/** Where npm has the compiler. */
export const soljsonPath = createRequire(import.meta.url).resolve('solc/soljson.js')

let loaded: LoadedCompiler | undefined
const solc = () => (loaded ??= loadSoljson(soljsonPath))

/** The compiler's version as clients send it. */
export const solcVersion = () => versionText(parseVersion(solc().version)!)

export interface StandardInput {
  readonly language: string
  readonly sources: Readonly<Record<string, { readonly content: string }>>
  readonly settings: Readonly<Record<string, unknown>>
}

export const head = '// SPDX-License-Identifier: Apache-2.0\npragma solidity ^0.8.0;\n'

/** Standard JSON of one file, `C.sol`. */
export function inputOf(text: string, settings: Readonly<Record<string, unknown>> = {}): StandardInput {
  return { language: 'Solidity', sources: { 'C.sol': { content: head + text } }, settings }
}

interface Output {
  readonly code: string
  readonly metadata: string
}

/** Compiles a contract of `C.sol` as tools do before they deploy it. */
export function compile(input: StandardInput, name = 'C'): Output {
  const outputSelection = { '*': { '*': ['evm.bytecode.object', 'metadata'] } }
  const asked = { ...input, settings: { ...input.settings, outputSelection } }
  const { contracts, errors } = JSON.parse(solc().compile(JSON.stringify(asked))) as {
    contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } }; metadata: string }>>
    errors?: unknown
  }
  const contract = contracts?.['C.sol']?.[name]
  if (!contract) throw new Error(JSON.stringify(errors))
  return { code: contract.evm.bytecode.object, metadata: contract.metadata }
}

/** Sends a transaction of the first account, which nobody else may use, and returns what it created. */
export async function send(node: DevNode, data: string, to?: string): Promise<string | null> {
  const nonce = BigInt(await node.call<string>('eth_getTransactionCount', [`0x${richAddress}`, 'pending']))
  const { raw, hash } = signed({
    ...{ type: 1, chainId: 1337n, accessList: [], nonce, gasPrice: 10n ** 10n, gasLimit: 5_000_000n, value: 0n },
    ...{ to: to === undefined ? undefined : hexToAddress(to), data: fromHex(data) },
  })
  await node.call('eth_sendRawTransaction', [raw])
  const receipt = await eventually(() =>
    node.call<{ contractAddress: string | null } | null>('eth_getTransactionReceipt', [hash]),
  )
  return receipt.contractAddress
}

export const deploy = async (node: DevNode, code: string): Promise<string> => (await send(node, code))!
