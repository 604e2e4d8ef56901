import { devAccounts } from '../forks/devGenesis.ts'
import type { Network } from './network.ts'

/** The funded accounts of the development network, as shown to its operator. */
export const devAccountLines: readonly string[] = [
  '  Funded accounts and their private keys. These keys are public: never send anything of value to them.',
  ...devAccounts.map(({ address, privateKey }) => `  0x${address}  0x${privateKey}`),
]

/** The banner of a node that runs the development network. */
export function welcome(version: string, { spec, networkId }: Network, services: ReadonlyMap<string, string>): string {
  const lines = [
    '',
    `  Quoin ${version.split('/').find((part) => part.startsWith('v')) ?? ''} · development network`,
    '',
    `  chain id ${spec.chainId} · network id ${networkId}`,
    ...[...services].map(([name, url]) => `  ${name.padEnd(10)} ${url}`),
    '',
    ...devAccountLines,
    '',
    '',
  ]
  return lines.join('\n')
}
