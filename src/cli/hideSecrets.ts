const secret = /^--?[a-z-]*(password|mnemonic)(=|$)/i

/** Whether an argument of a command line is a password or a mnemonic; files that hold one are not. */
export function holdsSecret(argv: readonly string[]): boolean {
  return argv.some((arg) => secret.test(arg))
}

/** Overwrites the command line that other users see among the processes, if it holds a secret. */
export function hideSecrets(argv: readonly string[]): void {
  if (holdsSecret(argv)) process.title = 'quoin'
}
