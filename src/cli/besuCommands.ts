/** Commands that a Besu from 23.4 to 26.8 has and Quoin has not, with what there is instead. */
const instead: Readonly<Record<string, string>> = {
  'operator generate-log-bloom-cache':
    'Logs are found by an index that is made with each block; nothing has to be generated.',
  'operator x-backup-state': "The state is backed up with the chain: see 'quoin backup'.",
  'operator x-restore-state': "The state is restored with the chain: see 'quoin restore'.",
  retesteth: "Tests of the EVM are run by 'quoin evm'.",
  storage:
    "It repairs RocksDB and the formats of Besu's state. Here 'quoin doctor' and 'quoin verify' look at the database.",
  txparse: 'It reads the corpus of a fuzzer; there is no such command here.',
}

/** What to do in place of a command of Besu; undefined for all others. */
export function besuCommandHint(words: string): string | undefined {
  return Object.hasOwn(instead, words) ? instead[words] : undefined
}
