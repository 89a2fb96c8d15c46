import { jsonOption } from '../options';
import { listeningAddress, percentage, size, time } from '../values';
import type { Register } from '../registration';

const GIGABYTE = 1024 ** 3;

export const record: Register = (dyno, { context: { console }, recordFile, ends }) => {
  dyno
    .command('record')
    .description(
      'pass the requests of clients on to a cluster unchanged, and record them in a file for a replay, without credentials; adds about 0.1 ms to most requests',
    )
    .requiredOption(
      '--target <url>',
      'the cluster, without user and password: those of the clients are passed on',
    )
    .requiredOption(
      '--listen <host:port>',
      'address for the clients, such as 127.0.0.1:9201',
      listeningAddress,
    )
    .requiredOption('--to <file>', 'the new file, such as shop.traffic.gz')
    .option(
      '--share <percent>',
      'share of the connections to record, such as 5%; the others are only passed on',
      percentage,
      1,
    )
    .option('--for <time>', 'end after this time, such as 1h; default: when interrupted', time)
    .option(
      '--most <size>',
      'stop recording at this size of all files together, such as 10gb, and only pass requests on',
      size,
    )
    .option('--rotate <size>', 'start a new file at this size; default: 1gb', size, GIGABYTE)
    .option('--ca <file>', 'certificate authority of the cluster, PEM')
    .option('--insecure', 'accept any certificate of the cluster')
    .option('--cert <file>', 'certificate for the clients, PEM, to listen with TLS; needs --key')
    .option('--key <file>', 'private key of this certificate, PEM')
    .addOption(jsonOption())
    .action(
      ends(async (options) =>
        (await import('../../commands/record')).recordCommand(options, { console, recordFile }),
      ),
    );
};
