import { devAccounts } from '../forks/devGenesis.ts'

/** What a person has to know of the accounts that a development network starts with. */
export const devAccountLines: readonly string[] = [
  '  Funded accounts and their private keys. These keys are public: never send anything of value to them.',
  ...devAccounts.map(({ address, privateKey }) => `  0x${address}  0x${privateKey}`),
]
