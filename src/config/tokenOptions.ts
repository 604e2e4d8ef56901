import type { Problems } from './fault.ts'
import { option, unset, type Values } from './option.ts'
import { natural, path, text } from './values.ts'

/** Where a key in a token is; the aliases are those of Besu's plugin. */
export const tokenOptions = <G extends string>(group: G) => ({
  'pkcs11-library': option(path('FILE'), unset(), group, 'PKCS#11 library of the token that has the key.'),
  'pkcs11-token': option(text('LABEL'), unset(), group, 'Label of that token.'),
  'pkcs11-slot': option(natural, unset(), group, 'Number of the slot that the token is in, instead of its label.'),
  'pkcs11-pin-file': option(
    path('FILE'),
    unset('the token asks for no PIN'),
    group,
    "File with the PIN of the token's user.",
    { aliases: ['plugin-hsm-password-path'] },
  ),
  'pkcs11-key-label': option(text('LABEL'), unset(), group, 'Label of the private key in the token.', {
    aliases: ['plugin-hsm-key-alias'],
  }),
  'pkcs11-config-file': option(
    path('FILE'),
    unset(),
    group,
    "File of Besu's plugin with library and slot (or slotListIndex), instead of the options for these.",
    { aliases: ['plugin-hsm-config-path'] },
  ),
})

export type TokenValues = Values<ReturnType<typeof tokenOptions>>

const inFile = ['pkcs11-library', 'pkcs11-token', 'pkcs11-slot'] as const

/** What is wrong with the options of a token that is to be used; `user` is what it is for. */
export function checkToken(values: TokenValues, user: string, problems: Problems): void {
  const need = (name: string) => problems.add(`${user} needs ${name}`)
  if (values['pkcs11-key-label'] === undefined) need('--pkcs11-key-label')
  if (values['pkcs11-config-file'] !== undefined) {
    for (const name of inFile)
      if (values[name] !== undefined) problems.add(`--${name} can't be used with --pkcs11-config-file, which says that`)
    return
  }
  if (values['pkcs11-library'] === undefined) need('--pkcs11-library')
  const [label, slot] = [values['pkcs11-token'], values['pkcs11-slot']]
  if (label === undefined && slot === undefined) need('--pkcs11-token or --pkcs11-slot')
  if (label !== undefined && slot !== undefined)
    problems.add("--pkcs11-token and --pkcs11-slot can't be used at the same time")
}
