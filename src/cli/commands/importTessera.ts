import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { failed } from '../../config/fault.ts'
import { option, required, unset } from '../../config/option.ts'
import { path } from '../../config/values.ts'
import * as keys from '../../privacyManager/keys.ts'
import type { TesseraConfig } from '../../privacyManager/tessera/readConfig.ts'
import { command } from '../command.ts'

/** `quoin privacy-manager import`. */
export const importTessera = command(
  'import',
  'Take over the keys, payloads and groups of a Tessera that is stopped.',
  {
    'from-tessera': option(
      path('FILE'),
      required,
      'command',
      "The Tessera's configuration file, which names its keys.",
    ),
    payloads: option(
      path('FILE'),
      unset('only the keys are taken over, and how to export the database is printed'),
      'command',
      "The Tessera's database, exported by H2 as SQL.",
    ),
    'password-file': option(
      path('FILE'),
      unset("those in the Tessera's configuration"),
      'command',
      'Passwords of its keys, one line per key. Opening a key with a password takes a minute or two.',
    ),
  },
  async (values, { config, io }) => {
    const from = values['from-tessera']
    const dataPath = config['data-path']
    // Other commands do not need what this one loads.
    const [{ readPasswords, readTesseraConfig }, { TesseraError }, { importExport }, { managerFolder }] =
      await Promise.all([
        import('../../privacyManager/tessera/readConfig.ts'),
        import('../../privacyManager/tessera/fault.ts'),
        import('../../privacyManager/tessera/importExport.ts'),
        import('../../privacyManager/createManager.ts'),
      ])

    async function takeOver({ keys: pairs }: TesseraConfig): Promise<readonly string[]> {
      const files: string[] = []
      for (const [i, pair] of pairs.entries()) {
        const file = i === 0 ? keys.defaultKeyFile(dataPath) : join(dataPath, `privacy${i + 1}.key`)
        // A second import adds payloads to the keys of the first.
        if (!existsSync(file) || (await keys.readKeyFile(file)).name !== pair.name)
          keys.writeKeyFiles(file, pair, keys.plainKeyText(pair, 'tessera'))
        io.stdout(`key ${pair.name} is in ${file}\n`)
        files.push(file)
      }
      return files
    }

    try {
      const passwordFile = values['password-file']
      const tessera = readTesseraConfig(from, passwordFile === undefined ? undefined : readPasswords(passwordFile))
      const files = await takeOver(tessera)
      if (values.payloads === undefined) io.stdout(howToExport(tessera, from))
      else {
        const { payloads, groups, foreign } = await importExport(values.payloads, managerFolder(dataPath), tessera.keys)
        io.stdout(`imported payloads: ${payloads}, groups: ${groups}\n`)
        if (foreign > 0) io.stdout(`${foreign} payloads were left out: none of the keys opens them\n`)
      }
      io.stdout(howToStart(tessera, files))
      return 0
    } catch (error) {
      if (error instanceof TesseraError) throw failed(error.message, error)
      throw error
    }
  },
)

function howToExport({ jdbc }: TesseraConfig, config: string): string {
  if (jdbc.url.startsWith('jdbc:h2:'))
    return `No payloads are imported: the database of a Tessera can only be read with Java, which Tessera brings.
Stop the Tessera, export its database, and call this command again with --payloads=export.sql:
  java -cp 'tessera/lib/*' org.h2.tools.Script -url '${jdbc.url.split(';')[0]}' -user '${jdbc.username}' -password '(jdbc.password of ${config})' -script export.sql
`
  return `No payloads are imported: the database ${jdbc.url.split('?')[0]} is not H2.
Start with --privacy-manager-recover: the managers of the other members send the payloads and groups that they share.
`
}

function howToStart({ peerUrl, peers }: TesseraConfig, files: readonly string[]): string {
  const options = [
    '--privacy-enabled',
    ...(files.length > 1 ? [`--privacy-manager-key-file=${files.join()}`] : []),
    ...(peerUrl === undefined ? [] : [`--privacy-manager-peer-url=${peerUrl}`, portOption(peerUrl)]),
    ...(peers.length > 0 ? [`--privacy-manager-peers=${peers.join()}`] : []),
  ]
  return `Start the node, in the Tessera's place, with\n  ${options.filter((one) => one !== '').join(' ')}\n`
}

function portOption(url: string): string {
  const port = URL.canParse(url) ? new URL(url).port : ''
  return port === '' ? '' : `--privacy-manager-peer-port=${port}`
}
