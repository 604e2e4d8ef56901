import type { Network } from '../chainData/network.ts'
import { type DevAccount, devAccounts } from '../forks/devGenesis.ts'

function accountLines(accounts: readonly DevAccount[]): string[] {
  return [
    '  Funded accounts and their private keys. These keys are public: never send anything of value to them.',
    ...accounts.map(({ address, privateKey }) => `  0x${address}  0x${privateKey}`),
  ]
}

/** The accounts that every development network funds, as shown to its operator. */
export const devAccountLines: readonly string[] = accountLines(devAccounts)

/** The banner of a node that runs the development network. */
export function welcome(
  version: string,
  { spec, networkId, funded }: Network,
  services: ReadonlyMap<string, string>,
): string {
  const lines = [
    '',
    `  Quoin ${version.split('/').find((part) => part.startsWith('v')) ?? ''} · development network`,
    '',
    `  chain id ${spec.chainId} · network id ${networkId} · rules of ${spec.activations.at(-1)!.fork}`,
    ...[...services].map(([name, url]) => `  ${name.padEnd(10)} ${url}`),
    '',
    ...accountLines(funded),
    '',
    '',
  ]
  return lines.join('\n')
}
