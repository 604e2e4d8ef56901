import type { Given } from '../config/option.ts'

/** A command line that starts a node with these options, some of them with other values, for a POSIX shell. */
export function commandLine(given: Given, instead: Readonly<Record<string, string>>): string {
  const options = [...new Map([...given, ...Object.entries(instead)])]
  return ['quoin', ...options.map(([name, value]) => `--${name}=${quote(value)}`)].join(' ')
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
