import type { Network } from '../chainData/network.ts'
import { type DevAccount, devAccounts } from '../forks/devGenesis.ts'
import { fromHex } from '../primitives/hex.ts'
import { checksumAddress } from '../types/checksumAddress.ts'

/** Characters of an account and its private key side by side. */
const lineLength = 112

function accountLines(accounts: readonly DevAccount[], columns: number): string[] {
  // In a narrower window each has a line of its own, so that it can be copied.
  const between = columns < lineLength ? '\n    ' : '  '
  return [
    '  Funded accounts and their private keys.',
    '  These keys are public: never send anything of value to them.',
    ...accounts.map(({ address, privateKey }) => `  ${checksumAddress(fromHex(address))}${between}0x${privateKey}`),
  ]
}

/** The accounts that every development network funds, as shown to its operator. */
export const devAccountLines = (columns: number): readonly string[] => accountLines(devAccounts, columns)

/** The banner of a node that runs the development network. */
export function welcome(
  version: string,
  { spec, networkId, funded }: Network,
  services: ReadonlyMap<string, string>,
  columns: number,
): string {
  const lines = [
    '',
    `  Quoin ${version.split('/').find((part) => part.startsWith('v')) ?? ''} · development network`,
    '',
    `  chain id ${spec.chainId} · network id ${networkId} · rules of ${spec.activations.at(-1)!.fork}`,
    ...[...services].map(([name, url]) => `  ${name.padEnd(10)} ${url}`),
    '',
    ...accountLines(funded, columns),
    '',
    '',
  ]
  return lines.join('\n')
}
