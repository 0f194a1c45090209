# How control panels in Ruby called the service: Net::HTTP.post_form, REXML and split.
# HASH_PREFIX is the prefix with which the service's clients hash; default: service-.
# ruby client.rb specification|classic BASE_URL report|query|delete|show ...
require 'digest/sha1'
require 'json'
require 'net/http'
require 'rexml/document'

PREFIX = ENV.fetch('HASH_PREFIX', 'service-')

def hash_of(value)
  value = value.strip.delete(' ').downcase
  32_000.times { value = Digest::SHA1.hexdigest(PREFIX + value) }
  value
end

dialect, base, command, *args = ARGV
api = URI.parse(base + '/api/')

case command
when 'hash'
  print hash_of(args[0])
when 'report'
  key, text, email = args
  response = Net::HTTP.post_form(api, '_api' => key, '_action' => 'report', '_type' => 'fraud', '_value' => '7',
                                      '_text' => text, 'email' => hash_of(email))
  if dialect == 'classic'
    print response.body =~ /\AOK:(\h{16})\z/ ? $1 : response.body
  else
    print response.body == 'OK' ? response['X-Deletion-Code'] : response.body
  end
when 'query'
  key, email = args
  body = Net::HTTP.post_form(api, '_api' => key, '_action' => 'query', 'email' => hash_of(email)).body
  line = dialect == 'classic' && body.start_with?('<') ? REXML::Document.new(body).root.text : body
  points, reported, reliability, found = parts = line.split('-')
  print parts.size == 4 ? [points, reported, reliability, found.split('/').last].join(' ') : body
when 'delete'
  key, code = args
  print Net::HTTP.post_form(api, '_api' => key, '_action' => 'delete', '_code' => code).body
when 'show'
  response = Net::HTTP.get_response(URI.parse("#{base}/api/?showreport=#{args[0]}"))
  if response.code == '200'
    JSON.parse(response.body)['ReportAdvanceds'].each { |report| print report['type'], ' ', report['description'] }
  else
    print 'nothing'
  end
end
