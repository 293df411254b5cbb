// Runs commands of the inspector in one process, since starting it takes a second. Each line of the
// input is a JSON array of arguments; each line of the output is the exit code and what it wrote.
import { createInterface } from 'node:readline';
import { runCli } from './node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js';

const write = process.stdout.write.bind(process.stdout);
for await (const line of createInterface({ input: process.stdin })) {
  const result = { code: 0, out: '', error: '' };
  process.stdout.write = (text, ...rest) => {
    result.out += text;
    rest.find((r) => typeof r === 'function')?.();
    return true;
  };
  try {
    await runCli(['node', 'inspector', ...JSON.parse(line)]);
  } catch (err) {
    result.code = err.exitCode ?? 1;
    result.error = String(err);
  }
  write(JSON.stringify(result) + '\n');
}
