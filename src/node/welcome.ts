import { devAccountLines } from './devAccountLines.ts'
import type { Network } from './network.ts'

/** The few lines that greet a person who started a development network. */
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
