import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../../interop/command.ts'
import { createPythonPackages } from '../../interop/pythonPackages.ts'
import { kubernetesVersion } from './helm.ts'
import type { Manifest } from './manifests.ts'

/** It comes with the schemas of Kubernetes, which kubeconform would fetch from GitHub. */
const packages = createPythonPackages('kubernetes-schemas', ['kubernetes-validate==1.37.0'])

/** The name of a schema, such as `statefulset-apps-v1`. */
function schemaOf({ apiVersion, kind }: Manifest): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : [undefined, apiVersion]
  return [kind.toLowerCase(), group?.split('.')[0], version].filter(Boolean).join('-')
}

/** Writes a schema for each kind, with all that it refers to, into a folder; returns why not, undefined when they are there. */
export async function writeSchemas(folder: string, objects: readonly Manifest[]): Promise<string | undefined> {
  const missing = await packages.fetch()
  if (missing) return missing
  const where = 'import kubernetes_validate, os; print(os.path.dirname(kubernetes_validate.__file__))'
  const from = join(
    await outputOf(packages.python, ['-c', where]),
    `kubernetes-json-schema/v${kubernetesVersion}-local-strict`,
  )
  const read = (name: string) =>
    JSON.parse(readFileSync(join(from, `${name}.json`), 'utf8').replaceAll('/api/_definitions.json#', '#')) as object
  mkdirSync(folder, { recursive: true })
  const { $defs } = read('_definitions') as { $defs: object }
  for (const name of new Set(objects.map(schemaOf)))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...read(name), $defs }))
  return undefined
}
