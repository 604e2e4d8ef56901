import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { KeyError } from './fault.ts'
import { decryptKeystore } from './keystore.ts'
import { readPasswordFile } from './passwordFile.ts'
import { withSecret } from './readSecretFile.ts'

const remedy = 'give --password-file, or put <name>.password beside the keystore file'

/**
 * Reads the private keys of a keystore file, or of all keystore files of a directory in the order of their names. The password of a
 * file is in `<name>.password` beside it, or else in `passwordFile`.
 */
export async function readKeystores(path: string, passwordFile: string | undefined): Promise<Uint8Array[]> {
  const keys: Uint8Array[] = []
  // One after another: each derivation takes all the memory that scrypt was made to take.
  for (const file of keystoreFiles(path))
    keys.push(
      await withSecret(passwordOf(file, passwordFile), (password) =>
        decryptKeystore(readKeystore(file), password, file),
      ),
    )
  return keys
}

function keystoreFiles(path: string): string[] {
  let isDirectory: boolean
  try {
    isDirectory = statSync(path).isDirectory()
  } catch (error) {
    throw new KeyError({ code: 'KEYSTORE_INVALID', path, reason: 'it cannot be read' }, error)
  }
  if (!isDirectory) return [path]
  const names = readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && /^[^.].*\.json$|^UTC--(?!.*\.password$)/.test(entry.name))
    .map(({ name }) => name)
    .sort()
  if (names.length === 0) throw new KeyError({ code: 'NO_KEYSTORES', path })
  return names.map((name) => join(path, name))
}

function readKeystore(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new KeyError({ code: 'KEYSTORE_INVALID', path, reason: 'it cannot be read' }, error)
  }
}

/** The password of a keystore file. */
function passwordOf(file: string, passwordFile: string | undefined): Uint8Array {
  const own = [`${file}.password`, file.replace(/\.json$/, '') + '.password'].find((path) => existsSync(path))
  const path = own ?? passwordFile
  if (path === undefined) throw new KeyError({ code: 'PASSWORD_MISSING', path: file, remedy })
  return readPasswordFile(path)
}
