import { checkKeyServer } from './checkKeyServer.ts'
import type { Problems } from './fault.ts'
import type { Resolved } from './resolveConfig.ts'
import { checkToken } from './tokenOptions.ts'

const onlyForFiles = ['node-private-key-file', 'node-private-key-password-file'] as const
/** What the names of the options of each module begin with. */
const prefixes = { 'key-server': 'key-server-', pkcs11: 'pkcs11-' } as const

/** What is wrong with the options of what holds the key of the node. */
export function checkSecurityModule({ config, given }: Pick<Resolved, 'config' | 'given'>, problems: Problems): void {
  const chosen = config['security-module']
  for (const [name, prefix] of Object.entries(prefixes)) {
    const set = name === chosen ? undefined : [...given].find((one) => one.startsWith(prefix))
    if (set !== undefined) problems.add(`--${set} needs --security-module=${name}`)
  }
  if (chosen === 'localfile') return
  for (const name of onlyForFiles)
    if (config[name] !== undefined)
      problems.add(`--${name} can't be used with --security-module=${chosen}, which has the key`)
  if (chosen === 'key-server') checkKeyServer(config, problems)
  else checkToken(config, '--security-module=pkcs11', problems)
}
