#!/usr/bin/perl
# Verifies proofs of balances and their history by docs/proof.md alone, except signatures; shares no code with the platform.
# Usage: perl verify-proof.pl [--history history.json] proof.json … It ends with 0 only if all hold.
use strict; use warnings;
use Digest::SHA qw(sha256_hex); use JSON::PP; use Encode qw(encode_utf8);
my $MAX = 9223372036854775807; # Perl's integers have 64 bits, and hold the sum of two of these.
sub refuse { die "refused $_[0]\n" }
sub amount {
  my $text = shift;
  refuse('negative') if $text =~ /^-[1-9][0-9]*\z/;
  refuse('amount') unless $text =~ /^(0|[1-9][0-9]*)\z/;
  refuse('overflow') if length $text > 19 || length $text == 19 && $text gt $MAX;
  return $text + 0;
}
sub node { my $n = shift; return { hash => $n->{hash}, map { $_ => amount($n->{$_}) } qw(usd coin) } }
sub parent {
  my ($l, $r) = @_;
  my %sum = map { $_ => $l->{$_} + $r->{$_} } qw(usd coin);
  refuse('overflow') if $sum{usd} > $MAX || $sum{coin} > $MAX;
  return { hash => sha256_hex(pack('C H64 H64 Q>4', 1, $l->{hash}, $r->{hash}, $l->{usd}, $l->{coin}, $r->{usd}, $r->{coin})), %sum };
}
sub climb {
  my ($leaf, $tree, $part, $proof, $day, $root) = @_;
  my $node = node({ hash => '', %$leaf });
  $node->{hash} = sha256_hex("\0" . encode_utf8(join "\n", $tree, $day, $proof->{member}, $part, @$leaf{qw(usd coin salt)}));
  my ($place, $count, @path) = ($leaf->{position}, $root->{leaves}, @{ $leaf->{path} });
  for (; $count > 1; $place = $place >> 1, $count = ($count + 1) >> 1) {
    next if $place % 2 == 0 && $place + 1 == $count;
    my $other = node(shift @path // refuse('path'));
    $node = $place % 2 ? parent($other, $node) : parent($node, $other);
  }
  refuse('path') if @path;
  refuse('root') if $node->{hash} ne $root->{root};
  refuse('sums') if grep { $node->{$_} != amount($root->{$_}) } qw(usd coin);
}
sub read_json { open my $in, '<', $_[0] or die "$_[0]: $!\n"; my $read = decode_json(join '', <$in>); return ref $read eq 'HASH' && $read->{data} || $read }
sub statement {
  my $tree = 'leaves (\d+) root ([0-9a-f]{64}) usd (\d+) coin (\d+)';
  my @found = $_[0] =~ /\AProof of balances, format 1, amounts in units of 0\.00000001\nplatform \S.*\nnumber (\d+)\nday ([\d-]{10})\nat \S+\nprevious ([0-9a-f]{64})\nmembers \d+\nowed $tree\npromised $tree\nunassigned usd \d+ coin \d+\nreserves / or refuse('format');
  my %read; @read{qw(number day previous)} = splice @found, 0, 3;
  for my $name (qw(owed promised)) { @{ $read{$name} }{qw(leaves root usd coin)} = splice @found, 0, 4 }
  return \%read;
}
my ($history, %days) = (@ARGV && $ARGV[0] eq '--history') ? (splice @ARGV, 0, 2)[1] : ();
if (defined $history) {
  eval {
    my ($number, $previous) = (0, '0' x 64);
    for my $row (@{ read_json($history) }) {
      refuse('digest') if sha256_hex(encode_utf8($row->{text})) ne $row->{digest};
      my $day = statement($row->{text});
      refuse('chain') if $day->{number} != ++$number || $day->{previous} ne $previous;
      $days{$previous = $row->{digest}} = 1;
    }
    1;
  } or do { print "$history: $@"; exit 1 };
}
my $refused = 0;
for my $file (@ARGV) {
  eval {
    my $proof = read_json($file);
    refuse('format') if $proof->{format} ne 'balance-proof-1';
    my $day = statement($proof->{statement});
    for my $tree (qw(owed promised)) {
      my @leaves = @{ $proof->{$tree} };
      my %places = map { $_->{position} => 1 } grep { $_->{position} =~ /^\d+\z/ && $_->{position} < $day->{$tree}{leaves} } @leaves;
      refuse('leaves') if @leaves != 4 || keys %places != 4;
      climb($leaves[$_], $tree, $_, $proof, $day->{day}, $day->{$tree}) for 0 .. 3;
    }
    refuse('statement') if defined $history && !$days{sha256_hex(encode_utf8($proof->{statement}))};
  };
  $refused = 1 if $@;
  print "$file: ", $@ ? $@ : "ok\n";
}
exit $refused;
