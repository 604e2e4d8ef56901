import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import { outputOf } from '../../interop/command.ts'
import { parseYaml } from '../../support/parseYaml.ts'
import type { Manifest } from './manifests.ts'

export const helm = process.env['HELM'] ?? 'helm'
export const kubeconform = process.env['KUBECONFORM'] ?? 'kubeconform'
export const chartFolder = join(packageRoot, 'deploy/helm/quoin')
export const kubernetesVersion = '1.31.0'

/** Whether a program runs here. */
export const runs = (program: string, arg: string): boolean => spawnSync(program, [arg]).status === 0

/** The text that Helm makes of the chart with some values. */
export async function render(values: readonly string[]): Promise<string> {
  const set = values.flatMap((value) => ['--set', value])
  return outputOf(helm, ['template', 'net', chartFolder, '--kube-version', kubernetesVersion, ...set])
}

export async function objectsOf(values: readonly string[]): Promise<Manifest[]> {
  return parseYaml<Manifest>(await render(values))
}
